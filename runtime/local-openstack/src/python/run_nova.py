"""All of nova in one process, its RPC in memory, so without a broker.

run_nova.py CONFIGURATION CONTROL_SOCKET DRIVERS PEER_URL...

DRIVERS is a directory with further drivers of hypervisors, or empty.

The API, the conductor and the scheduler run at once. Computes come and go by requests to the control socket:
POST /HOST/start, /HOST/stop, /HOST/crash, /HOST/cut, /HOST/expire, /HOST/knobs with JSON, and GET /HOST/guests.
"""
import datetime
import importlib
import json
import os
import socket
import sys
import urllib.parse

import nova.cmd.compute  # noqa: F401  the first import, because it patches for eventlet

import eventlet
from eventlet import wsgi
import nova.virt
import os_vif
from oslo_log import log
from oslo_utils import timeutils

nova.virt.__path__.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'virt'))

from nova.compute import rpcapi as compute_rpcapi  # noqa: E402
import nova.conf  # noqa: E402
from nova.conductor import rpcapi as conductor_rpcapi  # noqa: E402
from nova import config  # noqa: E402
from nova import context  # noqa: E402
from nova import objects  # noqa: E402
from nova.objects import host_mapping  # noqa: E402
from nova.scheduler import rpcapi as scheduler_rpcapi  # noqa: E402
from nova import service  # noqa: E402
from nova.virt import local_hosts  # noqa: E402


def begin(binary, topic, host=None):
    started = service.Service.create(binary=binary, topic=topic, host=host)
    started.start()
    return started


def silence(compute):
    """What Service.stop does, without the farewell: nobody tidies up, and no answer is sent."""
    # libvirt would go on telling it of guests, by a socket that no lost host has.
    compute.manager.driver.register_event_listener(None)
    for _migration, future in compute.manager._waiting_live_migrations.values():
        if future is not None:
            future.cancel()
    compute.tg.stop()
    if compute.rpcserver is not None:
        compute.rpcserver.stop()


class Computes:

    def __init__(self):
        self.running = {}

    def start(self, host, connection):
        if host in self.running:
            raise ValueError('%s runs already' % host)
        if connection:
            local_hosts.machine(host).connect(**connection)
        self.running[host] = None
        compute = None
        try:
            compute = service.Service.create(binary='nova-compute', topic=compute_rpcapi.RPC_TOPIC, host=host)
            compute.start()
            # The scheduler's own search for new hosts would leave a gap of seconds.
            host_mapping.discover_hosts(context.get_admin_context())
        except BaseException:
            del self.running[host]
            if compute is not None:
                silence(compute)
            raise
        self.running[host] = compute

    def stop(self, host, _):
        self._take(host).stop()

    def crash(self, host, _):
        self.cut(host, _)
        local_hosts.machine(host).lose_power()

    def cut(self, host, _):
        # Whoever lost the answer to a start cannot know whether there is anything to cut.
        if host in self.running:
            silence(self._take(host))

    def expire(self, host, _):
        if host in self.running:
            raise ValueError('%s runs, and reports again' % host)
        service = objects.Service.get_by_compute_host(context.get_admin_context(), host)
        service.last_seen_up = timeutils.utcnow() - datetime.timedelta(hours=1)
        service.save()

    def knobs(self, host, values):
        local_hosts.machine(host).turn(values)

    def guests(self, host, _):
        return local_hosts.machine(host).list_guests()

    def _take(self, host):
        if self.running.get(host) is None:
            raise ValueError('%s %s' % (host, 'is still being started' if host in self.running else 'does not run'))
        return self.running.pop(host)


def control(computes):
    verbs = {'start': computes.start, 'stop': computes.stop, 'crash': computes.crash,
             'cut': computes.cut, 'expire': computes.expire, 'knobs': computes.knobs, 'guests': computes.guests}

    def answer(environment, reply):
        _, host, verb = environment['PATH_INFO'].split('/')
        size = int(environment.get('CONTENT_LENGTH') or 0)
        try:
            body = json.loads(environment['wsgi.input'].read(size) or '{}')
            status, result = '200 OK', verbs[verb](host, body)
        except Exception as error:
            log.getLogger(__name__).exception('%s of %s failed', verb, host)
            status, result = '500 Internal Server Error', {'error': '%s: %s' % (type(error).__name__, error)}
        reply(status, [('Content-Type', 'application/json')])
        return [json.dumps(result).encode()]

    return answer


def import_managers():
    # Only now: the spacing of periodic tasks is read from the configuration when a manager is imported.
    for module in ('nova.conductor.manager', 'nova.scheduler.manager', 'nova.compute.manager',
                   'nova.api.openstack.compute.routes', nova.conf.CONF.compute_driver.rpartition('.')[0]):
        importlib.import_module(module if module.startswith('nova.') else 'nova.virt.%s' % module)


def wait_for_server(url):
    where = urllib.parse.urlsplit(url)
    while True:
        try:
            socket.create_connection((where.hostname, where.port)).close()
            return
        except ConnectionError:
            eventlet.sleep(0.05)


def main():
    configuration, control_socket, drivers, *peers = sys.argv[1:]
    if drivers:
        nova.virt.__path__.append(drivers)
    config.parse_args(['nova', '--config-file', configuration])
    log.setup(nova.conf.CONF, 'nova')
    objects.register_all()
    os_vif.initialize()
    objects.Service.enable_min_version_cache()
    import_managers()
    # They start at the same time, and the scheduler asks them at once.
    for url in peers:
        wait_for_server(url)
    # Both must stay referenced, or their timers go.
    kept = [begin('nova-conductor', conductor_rpcapi.RPC_TOPIC), begin('nova-scheduler', scheduler_rpcapi.RPC_TOPIC)]
    api = service.WSGIService('osapi_compute')
    api.start()
    listener = eventlet.listen(control_socket, family=socket.AF_UNIX)
    eventlet.spawn(wsgi.server, listener, control(Computes()), log_output=False)
    api.wait()
    return len(kept) - 2


if __name__ == '__main__':
    sys.exit(main())
