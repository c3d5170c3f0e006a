"""Serves WSGI applications, each in a process of its own: serve.py ADDRESS LOGS NAME=PORT=MODULE:FACTORY...

What all of them need is imported once, before they part: that is most of what a start costs. Each writes to NAME.log in
LOGS. When one of them ends, so does this one, with its last words.

Not uwsgi: it closes connections after a reply without saying so, and clients lose requests.
"""
import os

# Below it is another one, which wakes up all the time.
wait_for_child = os.wait

import eventlet  # noqa: E402

eventlet.monkey_patch()

import gc  # noqa: E402
import importlib  # noqa: E402
import sys  # noqa: E402
import traceback  # noqa: E402

from eventlet import hubs  # noqa: E402
from eventlet import wsgi  # noqa: E402

IDLE_SECONDS = 75
LAST_LINES = 15
SHARED = (
    'jsonschema', 'keystonemiddleware.auth_token', 'oslo_cache', 'oslo_config.cfg', 'oslo_db.sqlalchemy.enginefacade',
    'oslo_log.log', 'oslo_middleware', 'oslo_policy.policy', 'osprofiler.web', 'paste.deploy', 'pymysql', 'routes',
    'sqlalchemy.dialects.mysql', 'sqlalchemy.orm', 'stevedore', 'webob.dec',
)


def serve(address, port, entry):
    module, factory = entry.split(':')
    application = getattr(importlib.import_module(module), factory)()
    wsgi.server(eventlet.listen((address, port), backlog=256), application, log_output=False,
                keepalive=True, socket_timeout=IDLE_SECONDS)


def begin(address, log, port, entry):
    process = os.fork()
    if process != 0:
        return process
    try:
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        # That of before is shared: each would be woken for what comes to the others, and take it for its own.
        hubs.use_hub()
        serve(address, port, entry)
    except BaseException:
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)


def main():
    address, logs, *services = sys.argv[1:]
    # The applications read the command line for themselves.
    sys.argv = sys.argv[:1]
    for module in SHARED:
        importlib.import_module(module)
    # Objects that nobody looks at again stay in memory that is shared.
    gc.freeze()
    running = {}
    for service in services:
        name, port, entry = service.split('=')
        log = os.path.join(logs, name + '.log')
        running[begin(address, log, int(port), entry)] = (name, log)
    process, _ = wait_for_child()
    name, log = running[process]
    with open(log, errors='replace') as lines:
        print('%s ended: %s' % (name, ''.join(lines.readlines()[-LAST_LINES:])), file=sys.stderr)
    return 1


if __name__ == '__main__':
    sys.exit(main())
