"""Small hands on record for the tests, written by hand."""

from __future__ import annotations

WALK = """\
variant = 'NT'
ante_trimming_status = false
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [1000, 1000, 1000]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 f', 'p1 f']
venue = 'The Room'
time = 20:15:00
day = 1
month = 8
year = 2024
hand = 17
seats = [2, 5, 9]
table = 'Felt 1'
players = ['Ann', 'Bob', 'Cyn']
finishing_stacks = [995, 1005, 1000]
winnings = [0, 10, 0]
currency_symbol = '$'
"""
"""Everybody folds to the Big Blind, who gets 5 back and wins 10."""

SHOWDOWN = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [500, 862.50, 1000]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 30', 'p1 cc', 'p2 f', \
'd db 2c7dJh', 'p1 cc', 'p3 cbr 40', 'p1 cc', 'd db 3s', 'p1 cc', 'p3 cc', 'd db 9h', \
'p1 cbr 100', 'p3 cc', 'p1 sm JcTc', 'p3 sm ????']
hand = 'H-2'
finishing_stacks = [670, 852.50, 830]
winnings = [340, 0, 0]
"""
"""Pots of 70, 80 and 200 on three streets, 350: p1 wins 340 with a pair, the room keeps 10."""

HEADS_UP = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [3, 6]
min_bet = 6
starting_stacks = [199.25, 603]
actions = ['d dh p1 AsKd', 'd dh p2 QsQh', 'p2 cbr 18', 'p1 cbr 199.25', 'p2 cc', \
'd db 4d6h3c', 'd db 5s', 'd db Qc', 'p1 sm AsKd', 'p2 sm QsQh']
finishing_stacks = [0, 802.25]
"""
"""Heads-up p1 is the Big Blind, p2 the button; All-in before the flop."""

COLLECTION = f"[1]\n{WALK}\n[2]\n{SHOWDOWN}\n[3]\n{HEADS_UP}"
