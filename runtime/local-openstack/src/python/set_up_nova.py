"""Nova's three schemas and two cells, in one interpreter: set_up_nova.py CONFIGURATION CELL0_DATABASE."""
import sys

from nova.cmd import manage
from nova import config
from nova.db import migration
from nova import objects


def main():
    configuration, cell0 = sys.argv[1:3]
    config.parse_args(['nova-manage', '--config-file', configuration])
    objects.register_all()
    migration.db_sync(database='api')
    cells = manage.CellV2Commands()
    cells.map_cell0(cell0)
    return cells.create_cell('cell1') or manage.DbCommands().sync() or 0


if __name__ == '__main__':
    sys.exit(main())
