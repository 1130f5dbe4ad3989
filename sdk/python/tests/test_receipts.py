"""The offline check against the published vectors in receipt/vectors."""

from __future__ import annotations

import base64
import copy
import json
import struct
from collections import UserDict
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from service import ROOT

from govern import trust_of, verify_receipt
from govern._canonical import canonical_json, digest, number_text
from govern.receipts import _base64, _instant, verify_ed25519

VECTORS = ROOT / "receipt/vectors"


def read(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())


ORACLE = read("service_profile_oracle.json")
CONTEXT = next(item for item in ORACLE["objects"] if item["name"] == "decision_context")["input"]
TRUST = trust_of(ORACLE["trust_document"]["registry"])
FULL_TRUST = replace(TRUST, request={"context": CONTEXT})


def test_canonical_text_and_digest_of_every_published_object() -> None:
    for item in ORACLE["objects"] + ORACLE["signed_objects"]:
        assert canonical_json(item["object"]) == item["canonical"], item["name"]
        assert digest(item["object"]) == item["sha256"], item["name"]


def test_canonical_json_of_the_rfc_8785_test_data() -> None:
    files = sorted((VECTORS / "jcs/testdata/input").iterdir())
    assert len(files) == 6
    for file in files:
        # The profile has smaller limits for numbers than this data.
        value = json.loads(file.read_text().replace(" 1E30,", ""))
        output = (VECTORS / "jcs/testdata/output" / file.name).read_text().strip().replace(",1e+30", "")
        assert canonical_json(value) == output, file.name
    for number in (2**53, -(2**53), 2**53 + 1, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            canonical_json(number)


def test_numbers_are_printed_as_ecmascript_does() -> None:
    lines = (VECTORS / "derived/es6numbers_10k.txt").read_text().split()
    assert len(lines) == 10_000
    for line in lines:
        bits, expected = line.split(",")
        assert number_text(struct.unpack(">d", bytes.fromhex(bits.zfill(16)))[0]) == expected


def test_strict_ed25519() -> None:
    expected = read("derived/ed25519_strict_expected.json")

    def is_valid(key: str, signature: str, message: bytes) -> bool:
        return verify_ed25519(bytes.fromhex(key), bytes.fromhex(signature), message)

    cctv = read("cctv-ed25519/ed25519/ed25519vectors.json")
    assert len(cctv) == 914
    accepted = [case["number"] for case in cctv if is_valid(case["key"], case["sig"], case["msg"].encode())]
    assert accepted == expected["cctv_accept_numbers"]

    groups = read("wycheproof/testvectors_v1/ed25519_test.json")["testGroups"]
    cases = [(group["publicKey"]["pk"], case) for group in groups for case in group["tests"]]
    assert len(cases) == 151
    for key, case in cases:
        assert is_valid(key, case["sig"], bytes.fromhex(case["msg"])) == (case["result"] == "valid"), case["tcId"]

    speccheck = read("ed25519-speccheck/cases.json")
    results = [is_valid(case["pub_key"], case["signature"], bytes.fromhex(case["message"])) for case in speccheck]
    assert results == expected["speccheck_expected"]


def test_the_published_receipt_is_verified_and_each_check_is_named() -> None:
    result = verify_receipt(ORACLE["public_receipt"], FULL_TRUST)
    assert {name: check.status for name, check in result.checks.items()} == {
        "statement": "verified",
        "signature": "verified",
        "result": "verified",
        "request": "verified",
        "inclusion": "verified",
        "checkpoint": "verified",
    }
    assert result.status == "verified"


def test_what_is_not_checked_is_not_verified() -> None:
    result = verify_receipt(ORACLE["public_receipt"], replace(TRUST, keys=[], log_keys=[]))
    assert result.status == "incomplete"
    assert {name: check.status for name, check in result.checks.items()} == {
        "statement": "verified",
        "signature": "not_checked",
        "result": "not_checked",
        "request": "not_checked",
        "inclusion": "verified",
        "checkpoint": "not_checked",
    }
    version_1 = {**ORACLE["public_receipt"], "receipt_schema_version": 1}
    assert {check.status for check in verify_receipt(version_1, FULL_TRUST).checks.values()} == {"not_checked"}
    redacted = {**ORACLE["public_receipt"], "redaction": "values"}
    assert verify_receipt(redacted, FULL_TRUST).status == "incomplete"


def set_member(*path: Any) -> Any:
    """Returns a change that sets the member at a path to the last argument."""
    *parents, name, value = path

    def change(receipt: Any) -> None:
        for parent in parents:
            receipt = receipt[parent]
        assert receipt.get(name) != value
        receipt[name] = value

    return change


def in_anchor(change: Any) -> Any:
    """Returns a change of both copies of the anchor."""

    def changed(receipt: Any) -> None:
        change(receipt["transparency_anchor"])
        receipt["result"]["transparency_anchor"] = copy.deepcopy(receipt["transparency_anchor"])

    return changed


def in_note(old: str, new: str) -> Any:
    def change(anchor: Any) -> None:
        note = anchor["inclusion_proof"]["checkpoint"]
        assert old in note
        anchor["inclusion_proof"]["checkpoint"] = note.replace(old, new)

    return in_anchor(change)


def with_signature(change: Any) -> Any:
    def changed(receipt: Any) -> None:
        receipt["signature"] = receipt["result"]["signature"] = change(receipt["signature"])

    return changed


OTHER_ID = "d1000000-0000-4000-8000-000000000004"
TAMPERED = {
    "decision ID of the view": (set_member("decision_id", OTHER_ID), "statement"),
    "verdict of the view": (set_member("result", "decision", "DENY"), "statement"),
    "verdict in the hash": (set_member("result", "decision", "DENY"), "result"),
    "verdict of the statement": (set_member("statement", "decision", "DENY"), "signature"),
    "tenant of the statement": (set_member("statement", "tenant_id", OTHER_ID), "signature"),
    "a number instead of true": (set_member("receipt_schema_version", 2.5), None),
    "member added to the statement": (set_member("statement", "more", 1), "signature"),
    "signature": (with_signature(lambda text: "A" + text[1:]), "signature"),
    "padding of the signature": (with_signature(lambda text: text + "=="), "signature"),
    "violation added": (lambda receipt: receipt["result"]["violations"].append({"rule_code": "X"}), "result"),
    "rule that was not applicable": (lambda receipt: receipt["result"]["na_rules"].pop(), "result"),
    "context digest": (set_member("context_digest", "0" * 64), "request"),
    "action": (set_member("result", "action", "reference_id", "PAY-43"), "statement"),
    "chain step": (set_member("chain", "chain_step", 4), "statement"),
    "log index": (set_member("transparency_anchor", "log_index", 2), "inclusion"),
    "hash of the proof": (in_anchor(lambda a: a["inclusion_proof"]["hashes"].reverse()), "inclusion"),
    "hash added": (in_anchor(lambda a: a["inclusion_proof"]["hashes"].append("0" * 64)), "inclusion"),
    "hash removed": (in_anchor(lambda a: a["inclusion_proof"]["hashes"].pop()), "inclusion"),
    "entry": (in_anchor(set_member("entry_uuid", "0" * 80)), "inclusion"),
    "anchor of the view only": (set_member("transparency_anchor", "anchored_at", ""), "inclusion"),
    "size of the checkpoint": (in_note("\n5\n", "\n6\n"), "checkpoint"),
    "signature of the checkpoint": (in_note("dCgKPm8/q", "dCgKPm8/r"), "checkpoint"),
    "key ID of the checkpoint": (in_note("dCgKPm8/q", "eCgKPm8/q"), "checkpoint"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampered_receipts_are_not_verified(name: str) -> None:
    change, check = TAMPERED[name]
    receipt = copy.deepcopy(ORACLE["public_receipt"])
    change(receipt)
    result = verify_receipt(receipt, FULL_TRUST)
    if check is None:
        assert result.status == "incomplete"
    else:
        assert result.status == "failed"
        assert result.checks[check].status == "failed", result.checks


def test_another_request_is_not_the_one_of_the_receipt() -> None:
    other = copy.deepcopy(CONTEXT)
    other["fields"]["amount"] = 1
    result = verify_receipt(ORACLE["public_receipt"], replace(TRUST, request={"context": other}))
    assert result.checks["request"].status == "failed"
    request = {"context": CONTEXT, "actor": {"id": "other"}}
    result = verify_receipt(ORACLE["public_receipt"], replace(TRUST, request=request))
    assert (result.checks["request"].status, result.checks["result"].status) == ("verified", "failed")


def test_a_key_of_another_pair_is_not_trusted() -> None:
    forged = {**TRUST.keys[0], "x": ORACLE["test_keys"]["log"]["jwk"]["x"]}
    result = verify_receipt(ORACLE["public_receipt"], replace(TRUST, keys=[forged]))
    assert result.checks["signature"].status == "not_checked"


def test_a_key_of_another_tenant_and_one_with_an_unknown_status_sign_nothing() -> None:
    def signature(**members: Any) -> str:
        payload = json.loads(base64.b64decode(ORACLE["trust_document"]["registry"]["payload"]))
        for key in payload["keys"]:
            key.update(members)
        trust = trust_of({"payload": base64.b64encode(json.dumps(payload).encode()).decode()})
        return verify_receipt(ORACLE["public_receipt"], trust).checks["signature"].status

    assert signature(tenant_ids=[ORACLE["public_receipt"]["tenant_id"]]) == "verified"
    assert signature(tenant_ids=[OTHER_ID]) == "failed"
    assert signature(tenant_ids=[]) == "failed"
    assert signature(status="suspended") == "not_checked"


def test_trust_of_another_shape_is_a_mistake_of_the_caller() -> None:
    keys, log_keys = TRUST.keys, TRUST.log_keys
    mistaken: list[Any] = [
        {"keys": {"keys": keys}},
        {"keys": keys[0]},
        {"keys": [keys[0]["x"]]},
        {"log_keys": log_keys[0]},
    ]
    for changes in mistaken:
        with pytest.raises(TypeError, match="is not a list"):
            verify_receipt(ORACLE["public_receipt"], replace(TRUST, **changes))
    for other in (None, json.dumps(ORACLE["public_receipt"]), 5):
        assert verify_receipt(other, TRUST).status == "failed"  # type: ignore[arg-type]


def test_only_what_is_verified_is_true() -> None:
    assert verify_receipt(ORACLE["public_receipt"], FULL_TRUST)
    incomplete = verify_receipt(ORACLE["public_receipt"], replace(FULL_TRUST, keys=[]))
    assert not incomplete
    assert not incomplete.checks["signature"]
    assert incomplete.checks["statement"]


def test_a_request_may_have_other_mappings_and_sequences() -> None:
    request = {"context": MappingProxyType({**CONTEXT, "fields": UserDict(CONTEXT["fields"])})}
    assert verify_receipt(ORACLE["public_receipt"], replace(TRUST, request=request))


@pytest.mark.parametrize("text", ["YQ", "YQ= =", "YQ==\n", "YR==", "Y-==", "YWJ=", "Y"])
def test_base64_has_one_form(text: str) -> None:
    with pytest.raises(ValueError):
        _base64(text)


def test_timestamps_are_converted_to_utc_and_truncated() -> None:
    assert _instant("2026-09-01T10:00:03.2599Z") == "2026-09-01T10:00:03.259Z"
    assert _instant("2026-09-01T00:30:00+01:30") == "2026-08-31T23:00:00.000Z"
    assert _instant("2026-09-01T23:30:00.5-01:00") == "2026-09-02T00:30:00.500Z"
    assert _instant("0000-02-29T00:00:00Z") == "0000-02-29T00:00:00.000Z"
    assert _instant("0999-12-31T23:59:59.9999-00:30") == "1000-01-01T00:29:59.999Z"
    assert _instant("9999-12-31T23:59:59+01:00") == "9999-12-31T22:59:59.000Z"
