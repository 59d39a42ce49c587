"""A House that takes stakes as fast as it can and says which were acknowledged; it gets killed."""

import sys

from croupier.table import StaffRank
from tests.house.test_house import open_house
from tests.pit.high_card import OpenTable, PlaceStake


def main(path: str) -> None:
    house = open_house(path)
    if not house.pit.tables["A"].state.opened:
        opening = OpenTable(table="A", settings={})
        house.give("A", opening, who="Dee", rank=StaffRank.DEALER, command_id="open").result()
    taken = set(house.pit.tables["A"].state.boxes)
    for box in range(1, 99):
        if box in taken:
            continue
        command = PlaceStake(box=box, player=f"P{box}", stake=1000)
        house.give(
            "A", command, who=f"P{box}", rank=StaffRank.PLAYER, command_id=f"c{box}"
        ).result()
        sys.stdout.write(f"{box}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
