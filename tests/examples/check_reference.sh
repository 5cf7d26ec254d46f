#!/bin/sh
# docs/reference.md must be what the program prints. Usage: check_reference.sh AREIA SOURCE_DIR
set -eu
"$1" reference | diff -u "$2/docs/reference.md" - || {
  echo "docs/reference.md is out of date; renew it with: areia reference > docs/reference.md"
  exit 1
}
