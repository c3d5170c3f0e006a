"""Serves a WSGI application: serve.py ADDRESS PORT MODULE:FACTORY.

Not uwsgi: it closes connections after a reply without saying so, and clients lose requests.
"""
import eventlet

eventlet.monkey_patch()

import importlib  # noqa: E402
import sys  # noqa: E402

from eventlet import wsgi  # noqa: E402

IDLE_SECONDS = 75


def main():
    address, port, entry = sys.argv[1:4]
    # The applications read the command line for themselves.
    sys.argv = sys.argv[:1]
    module, factory = entry.split(':')
    application = getattr(importlib.import_module(module), factory)()
    wsgi.server(eventlet.listen((address, int(port)), backlog=256), application, log_output=False,
                keepalive=True, socket_timeout=IDLE_SECONDS)


if __name__ == '__main__':
    main()
