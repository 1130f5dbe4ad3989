#!/bin/sh
# The steps of a pull request that changes policies. Needs `govern` and `git`; `diff` and `push` also need
# GOVERN_URL, GOVERN_TENANT_ID and GOVERN_API_KEY.
#
#   policy-ci.sh test         evaluates all test cases, without a service
#   policy-ci.sh diff BASE    shows what the changed policies change on the service
#   policy-ci.sh push BASE    writes the changed policies to drafts, which are reviewed in the console
set -eu

# Prints the policy files that differ from the commit where the branch left $1.
changed() {
  git diff --name-only --diff-filter=d "$1...HEAD" -- '*.policy.yaml' '*.policy.yml' '*.policy.json'
}

case "${1-}" in
test)
  exec govern policy test policies --junit policy-tests.xml
  ;;
diff | push)
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
