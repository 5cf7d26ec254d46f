#!/bin/sh
# docs/materials.md must be what the program prints. Usage: check_materials.sh AREIA SOURCE_DIR
set -eu
"$1" materials --markdown | diff -u "$2/docs/materials.md" - || {
  echo "docs/materials.md is out of date; renew it with: areia materials --markdown > docs/materials.md"
  exit 1
}
