# Generated from _async by scripts/generate.py. Do not edit.

