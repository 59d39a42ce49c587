"""The office of the House: who works and plays here, the cage, and what stands on the floor."""

from croupier.house.office.office import OFFICE, Office
from croupier.house.office.state import OfficeState, PersonName, PlaceRecord, Role

__all__ = ["OFFICE", "Office", "OfficeState", "PersonName", "PlaceRecord", "Role"]
