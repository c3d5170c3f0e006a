"""Keystone's schema, keys and administrator, in one interpreter: set_up_keystone.py CONFIGURATION.

The password comes by the environment, where other users of the machine do not see it.
"""
import os
import sys

from keystone.cmd import cli
from keystone.common import sql
import keystone.conf

CONF = keystone.conf.CONF


def main():
    owner = ['--keystone-user', 'root', '--keystone-group', 'root']
    CONF.register_cli_opt(cli.command_opt)
    keystone.conf.configure()
    sql.initialize()
    for step in (['db_sync'], ['fernet_setup', *owner], ['credential_setup', *owner],
                 ['bootstrap', '--bootstrap-password', os.environ['ADMIN_PASSWORD'],
                  '--bootstrap-region-id', 'RegionOne']):
        CONF(args=['--config-file', sys.argv[1], *step], project='keystone')
        CONF.command.cmd_class.main()


if __name__ == '__main__':
    main()
