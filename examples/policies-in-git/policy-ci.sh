#!/bin/sh
# The steps of a pull request that changes policies. Needs `govern` and `git`; `diff` and `push` also need
# GOVERN_URL, GOVERN_TENANT_ID and GOVERN_API_KEY.
#
#   policy-ci.sh test         evaluates all test cases, without a service
#   policy-ci.sh diff BASE    shows what the changed policies change on the service
#   policy-ci.sh push BASE    writes the changed policies to drafts, which are reviewed in the console
set -eu

# Prints the policy files that differ from the commit where the branch left $1. The first push of a branch has no such
# commit (its ID is 000…), and after a forced push it may be gone: then all policy files count as changed.
changed() {
  set -- "$1" '*.policy.yaml' '*.policy.yml' '*.policy.json'
  if git rev-parse --quiet --verify "$1^{commit}" >/dev/null; then
    base=$1 && shift
    git -c core.quotePath=false diff --name-only --diff-filter=d "$base...HEAD" -- "$@"
  else
    shift
    git -c core.quotePath=false ls-files -- "$@"
  fi
}

case "${1-}.$#" in
test.1)
  exec govern policy test policies --junit policy-tests.xml
  ;;
diff.2 | push.2)
  files=$(changed "$2")
  [ -n "$files" ] || exit 0
  printf '%s\n' "$files" | while IFS= read -r file; do
    if [ "$1" = push ]; then
      govern policy push "$file"
    else
      # Exit code 1 means that there are differences.
      govern policy diff "$file" || [ $? -eq 1 ]
    fi
  done
  ;;
*)
  echo "usage: policy-ci.sh test | diff BASE | push BASE" >&2
  exit 2
  ;;
esac
