"""Offline check of a receipt (docs/FORMAT.md, sections 3 to 10). Signatures need the extra `verify`."""

from __future__ import annotations

import base64
import binascii
import copy
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from . import types
from ._canonical import canonical_json, digest
from ._json import plain

CheckName = Literal["statement", "signature", "result", "request", "inclusion", "checkpoint"]
Status = Literal["verified", "failed", "not_checked"]

NOT_COVERED = (
    "validity period, purpose and revocation of the keys",
    "the rules, and that they give this verdict",
    "approvals of the policy versions",
    "evidence data",
    "the chain: its links and its seal",
    "texts and details of violations, the named policy, counts and durations of the evaluation",
)
_PAYLOAD_TYPE = "application/vnd.service.receipt.v2+json"


@dataclass(frozen=True)
class ReceiptTrust:
    """What the caller trusts, received from the operator of the service in another way than the receipt.

    - `keys`: public keys that may sign receipts, as JSON Web Keys. `tenant_ids` of a key are the only tenants whose
      receipts it signs.
    - `log_keys`: keys of the transparency log, in the form `name+id+key`.
    - `request`: the arguments of `decisions.record`, exactly as they were sent.
    """

    keys: Sequence[Mapping[str, Any]] = ()
    log_keys: Sequence[str] = ()
    request: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Check:
    """The result of one check. `detail` is the reason unless it is `verified`."""

    status: Status
    detail: str | None = None

    def __bool__(self) -> bool:
        return self.status == "verified"


@dataclass(frozen=True)
class ReceiptVerification:
    """The result of a verification.

    `status` is `failed` if a check failed, `verified` if all six checks are, otherwise `incomplete`. The checks are:

    - `statement`: the receipt has the same values as its signed statement.
    - `signature`: a trusted key signed the statement.
    - `result`: the verdict, the violations and the rules that were not applicable are the hashed ones.
    - `request`: the context and the idempotency key are those of the request.
    - `inclusion`: the statement is in the tree of the checkpoint.
    - `checkpoint`: a trusted log signed that checkpoint.

    The result is true only if its `status` is `verified`. `not_covered` names facts that these checks do not cover.
    `govern-verify` checks them, given the bundle of the decision.
    """

    status: Literal["verified", "failed", "incomplete"]
    checks: dict[CheckName, Check]
    not_covered: Sequence[str] = field(default=NOT_COVERED)

    def __bool__(self) -> bool:
        return self.status == "verified"


class _Failed(Exception):
    """A check failed."""


class _NotChecked(Exception):
    """A check is not possible with what the caller has."""


def verify_receipt(receipt: types.Receipt, trust: ReceiptTrust) -> ReceiptVerification:
    """Checks a receipt without a network. Each check is reported on its own; none implies another."""
    trust = _checked(trust)
    checks = {name: _run(check, receipt, trust) for name, check in _CHECKS.items()}
    statuses = {check.status for check in checks.values()}
    if "failed" in statuses:
        return ReceiptVerification("failed", checks)
    return ReceiptVerification("incomplete" if "not_checked" in statuses else "verified", checks)


def trust_of(registry: Mapping[str, Any]) -> ReceiptTrust:
    """Returns the receipt keys and log keys that a trust registry lists.

    It does not check the signatures of the registry: use it only for a registry that you received from the operator
    in a trusted way.
    """
    payload = json.loads(_base64(registry["payload"]))
    usable = [key for key in payload["keys"] if key["status"] in ("active", "retired") and "receipt" in key["purposes"]]
    keys = [{**key["jwk"], "tenant_ids": key["tenant_ids"]} if "tenant_ids" in key else key["jwk"] for key in usable]
    return ReceiptTrust(keys, [log["vkey"] for log in payload["logs"]])


def _checked(trust: ReceiptTrust) -> ReceiptTrust:
    """Raises `TypeError` if the trust is of another shape. Otherwise the receipt would look invalid."""
    if not (_is_list(trust.keys) and all(isinstance(key, Mapping) for key in trust.keys)):
        raise TypeError("`keys` is not a list of JSON Web Keys")
    if not (_is_list(trust.log_keys) and all(isinstance(key, str) for key in trust.log_keys)):
        raise TypeError("`log_keys` is not a list of `str`")
    # A request with other values was never sent.
    return replace(trust, request=plain(trust.request))


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _run(check: Callable[[Any, ReceiptTrust], None], receipt: Any, trust: ReceiptTrust) -> Check:
    try:
        if receipt.get("receipt_schema_version") != 2 or not receipt.get("statement"):
            raise _NotChecked("the receipt has another schema version than 2")
        check(receipt, trust)
    except _NotChecked as reason:
        return Check("not_checked", str(reason))
    except _Failed as reason:
        return Check("failed", str(reason))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        return Check("failed", f"the receipt is malformed: {error!r}")
    return Check("verified")


def _check_statement(view: Any, _: ReceiptTrust) -> None:
    statement, result = view["statement"], view["result"]
    chain, stated_chain = view.get("chain") or {}, statement.get("chain") or {}

    def equal(name: str, actual: Any, expected: Any) -> None:
        # In Python, 1 equals True; in canonical JSON it does not.
        if canonical_json([actual]) != canonical_json([expected]):
            raise _Failed(f"`{name}` differs from the statement")

    equal("schema", "service-receipt/v2", statement["schema"])
    for name in ("tenant_id", "decision_id", "receipt_schema_version"):
        equal(name, view.get(name), statement.get(name))
    for name in (
        "integrity_hash",
        "policy_snapshot_id",
        "policy_snapshot_digest",
        "evidence_manifest_digest",
        "timestamp",
        "decision",
    ):
        equal(f"result.{name}", result.get(name), statement.get(name))
    equal("chain.chain_id", chain.get("chain_id"), stated_chain.get("chain_id"))
    equal("chain.chain_step", chain.get("chain_step"), stated_chain.get("step"))
    equal("chain.parent_decision_id", chain.get("parent_decision_id"), stated_chain.get("parent_decision_id"))
    equal("signature_kid", view.get("signature_kid"), statement.get("kid"))
    equal("signature_algorithm", view.get("signature_algorithm"), statement.get("alg"))
    equal("payload_type", view.get("payload_type"), _PAYLOAD_TYPE if statement.get("kid") else None)
    for name in ("signature", "signature_kid", "signature_algorithm"):
        equal(f"result.{name}", result.get(name), view.get(name))
    action = result.get("action")
    action_digest = digest({"schema": "service-action/v1", "action": action}) if action is not None else None
    equal("result.action", action_digest, statement.get("action_digest"))


def _check_signature(view: Any, trust: ReceiptTrust) -> None:
    statement, signature = view["statement"], view.get("signature")
    if not signature:
        raise _NotChecked("the receipt is not signed")
    public_key, tenant_ids = None, None
    for key in trust.keys:
        if "x" not in key:  # a key of another type
            continue
        thumbprint = hashlib.sha256(canonical_json({"crv": "Ed25519", "kty": "OKP", "x": key["x"]}).encode()).digest()
        if base64.urlsafe_b64encode(thumbprint).rstrip(b"=").decode() == statement["kid"]:
            public_key, tenant_ids = _base64url(key["x"]), key.get("tenant_ids")
    if public_key is None:
        raise _NotChecked(f"the key {statement['kid']} is not trusted")
    if tenant_ids is not None and statement["tenant_id"] not in tenant_ids:
        raise _Failed("the key is not one of this tenant")
    if statement["alg"] != "Ed25519":
        raise _Failed(f"the algorithm is {statement['alg']}")
    body = canonical_json(statement).encode()
    # DSSE signs the type and the body with their lengths.
    message = f"DSSEv1 {len(_PAYLOAD_TYPE)} {_PAYLOAD_TYPE} {len(body)} ".encode() + body
    if not verify_ed25519(public_key, _base64url(signature), message):
        raise _Failed("the signature is invalid")


def _check_result(view: Any, trust: ReceiptTrust) -> None:
    statement, result = view["statement"], view["result"]
    if view.get("redaction") == "values":
        raise _NotChecked("values are redacted")

    def pick(value: Any, *names: str) -> dict[str, Any]:
        return {name: value[name] for name in names if name in value}

    violation_members = (
        "rule_code",
        "severity",
        "reason_code",
        "field",
        "actual_value",
        "expected_value",
        "policy_id",
    )
    preimage = {
        "schema": "service-decision-integrity/v2",
        "receipt_schema_version": 2,
        "context_digest": view["context_digest"],
        "decision_type": statement["decision_type"],
        **pick(result, "decision", "policy_snapshot_digest", "evaluated_rules_hash", "evidence_manifest_digest"),
        "violations": [
            {**pick(violation, *violation_members), "is_shadow": violation.get("is_shadow", False)}
            for violation in result["violations"]
        ],
        "na_rules": [pick(rule, "policy_id", "rule_code") for rule in result["na_rules"]],
        "is_shadow": result.get("is_shadow", False),
        "shadow_converted": result.get("shadow_converted", False),
        **pick(result, "original_decision", "narrowing"),
    }
    # The actor and the evaluation time of temporal rules are hashed, and are not in the receipt.
    request = trust.request or {}
    metadata = request.get("context", {}).get("metadata") or {}
    actor_id = (request.get("actor") or {}).get("id")
    if actor_id is None:
        actor_id = metadata.get("actor_id")
    if actor_id is not None:
        preimage["actor_id"] = actor_id
    time = _instant(metadata["timestamp"]) if metadata.get("timestamp") else statement["timestamp"]
    if statement["integrity_hash"] in (digest(preimage), digest({**preimage, "as_of": time})):
        return
    if trust.request is not None:
        raise _Failed("the result is not the hashed one")
    raise _NotChecked("the hash also covers the actor and the time of the request, which is needed")


def _check_request(view: Any, trust: ReceiptTrust) -> None:
    if trust.request is None:
        raise _NotChecked("the request is needed")
    context = copy.deepcopy(trust.request["context"])
    for name in ("ip_address", "user_agent", "correlation_id"):
        context.get("metadata", {}).pop(name, None)
    for item in context.get("evidence", []):
        if "data" in item:
            item["data_digest"] = digest(item.pop("data"))
    if digest({"schema": "service-decision-context/v1", "context": context}) != view["context_digest"]:
        raise _Failed("the context is not the one of the receipt")
    key = trust.request.get("idempotency_key")
    if key is None:
        return
    tenant_id = view["statement"]["tenant_id"]
    preimage = {"schema": "service-idempotency-key/v1", "tenant_id": tenant_id, "idempotency_key": key}
    if digest(preimage) != view["statement"]["idempotency_key_digest"]:
        raise _Failed("the idempotency key is another")


def _check_inclusion(view: Any, _: ReceiptTrust) -> None:
    anchor = view.get("transparency_anchor")
    if not anchor:
        raise _NotChecked("the receipt is not in the log yet")
    if anchor["provider"] != "embedded":
        raise _NotChecked(f"the provider is {anchor['provider']}")
    inner = view["result"].get("transparency_anchor")
    if inner and canonical_json(inner) != canonical_json(anchor):
        raise _Failed("the anchors differ")
    proof = anchor["inclusion_proof"]
    origin, size, root, _signed = _read_checkpoint(proof["checkpoint"])
    index = proof["log_index"]
    if (size, root.hex(), index) != (proof["tree_size"], proof["root_hash"], anchor["log_index"]):
        raise _Failed("the proof differs from its checkpoint")
    entry = {"schema": "service-log-entry/v1", "kind": "receipt", "digest": digest(view["statement"])}
    leaf = hashlib.sha256(b"\0" + canonical_json(entry).encode()).digest()
    tree_id = hashlib.sha256(origin.encode()).hexdigest()[:16]
    if anchor["entry_uuid"] != tree_id + leaf.hex():
        raise _Failed("the entry is another")
    if _root_of(leaf, index, size, proof["hashes"]) != root:
        raise _Failed("the inclusion proof is invalid")


def _check_checkpoint(view: Any, trust: ReceiptTrust) -> None:
    anchor = view.get("transparency_anchor")
    if not anchor:
        raise _NotChecked("the receipt is not in the log yet")
    note = anchor["inclusion_proof"]["checkpoint"]
    origin, _size, _root, signed = _read_checkpoint(note)
    trusted = [key for key in trust.log_keys if key.startswith(origin + "+")]
    if not trusted:
        raise _NotChecked(f"the log {origin} is not trusted")
    prefix = f"— {origin} "
    lines = [line for line in note[len(signed) + 1 :].split("\n") if line.startswith(prefix)]
    blobs = [_base64(line[len(prefix) :]) for line in lines]
    for log_key in trusted:
        match = re.search(r"\+([0-9a-f]{8})\+(.+)\Z", log_key)
        typed = _base64(match[2]) if match else b""
        key_id = hashlib.sha256(origin.encode() + b"\n" + typed).digest()[:4]
        if not match or typed[:1] != b"\x01" or key_id.hex() != match[1]:
            raise _Failed(f"`{log_key}` is not a log key")
        signatures = [blob[4:] for blob in blobs if blob[:4] == key_id]
        if signatures and all(verify_ed25519(typed[1:], signature, signed.encode()) for signature in signatures):
            return
    raise _Failed("the log did not sign the checkpoint")


_CHECKS: dict[CheckName, Callable[[Any, ReceiptTrust], None]] = {
    "statement": _check_statement,
    "signature": _check_signature,
    "result": _check_result,
    "request": _check_request,
    "inclusion": _check_inclusion,
    "checkpoint": _check_checkpoint,
}


def _read_checkpoint(note: str) -> tuple[str, int, bytes, str]:
    """Reads a C2SP checkpoint: origin, size, root, and the text that the log signs."""
    text, separator, _ = note.rpartition("\n\n")
    match = re.fullmatch(r"([^\n]+)\n(0|[1-9][0-9]{0,15})\n([^\n]+)(?:\n[^\n]+)*", text)
    if not separator or not match:
        raise _Failed("the checkpoint is malformed")
    return match[1], int(match[2]), _base64(match[3]), text + "\n"


def _root_of(leaf: bytes, index: int, size: int, proof: Sequence[str]) -> bytes:
    """Returns the root of the tree (RFC 9162, section 2.1.3.2). Raises an error if the proof has another length."""
    node, last, result = index, size - 1, leaf
    if not 0 <= node <= last:
        raise _Failed("the inclusion proof is invalid")
    for text in proof:
        sibling = bytes.fromhex(text)
        if last == 0 or len(sibling) != 32:
            raise _Failed("the inclusion proof is invalid")
        if node % 2 == 1 or node == last:
            result = hashlib.sha256(b"\x01" + sibling + result).digest()
            while node % 2 == 0 and node != 0:
                node, last = node // 2, last // 2
        else:
            result = hashlib.sha256(b"\x01" + result + sibling).digest()
        node, last = node // 2, last // 2
    if last != 0:
        raise _Failed("the inclusion proof is invalid")
    return result


def _base64(text: str) -> bytes:
    """Reads base64 with padding. Raises `ValueError` for any other text."""
    value = base64.b64decode(text, validate=True)
    if base64.b64encode(value).decode() != text:
        raise binascii.Error("not base64")
    return value


def _base64url(text: str) -> bytes:
    """Reads base64url without padding. Raises `ValueError` for any other text."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise binascii.Error("not base64url")
    value = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(value).rstrip(b"=").decode() != text:
        raise binascii.Error("not base64url")
    return value


def _instant(text: str) -> str:
    """Converts an RFC 3339 timestamp to UTC, truncated to milliseconds."""
    match = re.fullmatch(
        r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", text, re.ASCII
    )
    if not match:
        raise ValueError(f"{text} is not a timestamp")
    date, time, fraction, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    # The calendar repeats after 400 years. `datetime` has no year 0, and ends with 9999.
    local = datetime.fromisoformat(f"{2000 + int(date[:4]) % 400}{date[4:]}T{time}")
    utc = local + offset if sign == "-" else local - offset
    year = utc.year - 2000 + int(date[:4]) // 400 * 400
    return f"{year:04}-{utc:%m-%dT%H:%M:%S}.{(fraction or '')[:3].ljust(3, '0')}Z"


# The y coordinates of the points of small order, also those that are not canonical. The sign bit is cleared.
_SMALL_ORDER = {
    bytes.fromhex(point)
    for point in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
}


def verify_ed25519(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Returns whether a signature is valid. Keys and nonces of small order are rejected."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if len(public_key) != 32 or len(signature) != 64:
        return False
    if any(point[:31] + bytes([point[31] & 0x7F]) in _SMALL_ORDER for point in (public_key, signature[:32])):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
