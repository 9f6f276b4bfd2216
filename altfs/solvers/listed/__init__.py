"""Families chosen from sets that are listed one by one."""
