"""No product is joined with a sum (fused multiply-add) anywhere in the program: it would be rounded once in place of twice,
and only on machines that have such instructions."""
import re
import shutil
import subprocess
import unittest

import areia


@unittest.skipUnless(shutil.which("objdump"), "objdump is not installed")
class Contraction(unittest.TestCase):
    def test_there_is_none(self):
        code = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", areia.program], capture_output=True, text=True,
                              check=True).stdout
        where, function = set(), ""
        for line in code.splitlines():
            if line.endswith(">:"):
                function = line
            elif re.search(r"\tvfn?m(add|sub)|\tfn?m(add|sub|la|ls)\s", line):
                where.add(function)
        self.assertEqual(where, set())


if __name__ == "__main__":
    areia.main()
