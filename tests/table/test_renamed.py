"""A name that a release exported is still there, and says what to write instead."""

import pytest

import croupier.table


def test_an_old_name_means_the_new_one_and_warns():
    with pytest.warns(DeprecationWarning, match=r"StaffRank is called ActorRank now"):
        assert croupier.table.StaffRank is croupier.table.ActorRank


def test_a_name_that_there_never_was_is_an_error():
    with pytest.raises(AttributeError, match="NoSuchName"):
        _ = croupier.table.NoSuchName
