"""Secrets and ids."""

from tribord.server.secret import may_be_table, new_table, repeated_table


def test_no_table_id_is_taken_for_an_option_of_a_command():
    ids = {new_table() for _id in range(2000)} | {repeated_table(b"key", str(k)) for k in range(2000)}
    assert len(ids) == 4000
    assert all(may_be_table(id) and not id.startswith("-") for id in ids)
