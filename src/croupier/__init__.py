"""croupier: five approved casino hold'em rulebooks, running; every decision cites its paragraph.

Nothing is imported here, so that `import croupier` costs nothing. Start with `croupier.cards` and
`croupier.rulebooks`.
"""

__version__ = "0.9.0"
