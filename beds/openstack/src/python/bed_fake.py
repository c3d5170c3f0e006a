"""A hypervisor that pretends, with the faults a test asks for.

Nova's own fake driver forgets its guests when its service restarts and moves them in no time, so neither the return
of an evacuated host nor a slow, stuck or failing move could be tested with it.
"""
import time

import greenlet

from nova import exception
from nova.virt import fake
from nova.virt import local_hosts

TICK_SECONDS = 0.1

DEFAULT_KNOBS = {
    'vcpus': 16,
    'memoryMiB': 65536,
    'diskGiB': 1000,
    'spawnSeconds': 0,
    'spawnFails': False,
    'destroyFails': False,
    'preLiveMigrationFails': False,
    'liveMigrationSeconds': 0,
    'liveMigrationFails': False,
    'coldMigrationSeconds': 0,
    'coldMigrationFails': False,
    'consoleIsSilent': False,
}


class BedFakeDriver(fake.FakeDriver):

    def __init__(self, virtapi, read_only=False):
        # Several computes share the process, so CONF.host is nobody's name.
        self.machine = local_hosts.machine(virtapi._compute.host)
        self.machine.offer(DEFAULT_KNOBS)
        self.life = self.machine.life
        self.moves = {}
        super().__init__(virtapi, read_only)
        self.instances = self.machine.guests

    # Sizes are read anew at every report, so that a host can grow and shrink under the scheduler.
    @property
    def vcpus(self):
        return self.machine.knobs['vcpus']

    @property
    def memory_mb(self):
        return self.machine.knobs['memoryMiB']

    @property
    def local_gb(self):
        return self.machine.knobs['diskGiB']

    def get_available_resource(self, nodename):
        found = super().get_available_resource(nodename)
        if found:
            found.update(vcpus=self.vcpus, memory_mb=self.memory_mb, local_gb=self.local_gb)
        return found

    def _stay_alive(self):
        # Nobody cleans up after a loss of power: GreenletExit passes all of nova's handlers for errors.
        if self.life != self.machine.life:
            raise greenlet.GreenletExit()

    def _work(self, seconds):
        end = time.monotonic() + seconds
        self._stay_alive()
        while time.monotonic() < end:
            time.sleep(min(TICK_SECONDS, max(0, end - time.monotonic())))
            self._stay_alive()

    def _fail(self, knob, error):
        if self.machine.knobs[knob]:
            raise error('%s is set on %s' % (knob, self.machine.name))

    def spawn(self, context, instance, *args, **kwargs):
        self._work(self.machine.knobs['spawnSeconds'])
        self._fail('spawnFails', exception.InstanceDeployFailure)
        super().spawn(context, instance, *args, **kwargs)

    def destroy(self, context, instance, *args, **kwargs):
        self._stay_alive()
        self._fail('destroyFails', exception.InstancePowerOffFailure)
        super().destroy(context, instance, *args, **kwargs)

    def get_console_output(self, context, instance):
        if self.machine.knobs['consoleIsSilent']:
            return ''
        return 'Booting on %s\n%s login: ' % (self.machine.name, instance.display_name)

    def get_host_uptime(self):
        with open('/proc/uptime') as file:
            seconds = float(file.read().split()[0])
        days, rest = divmod(int(seconds), 86400)
        return ' 00:00:00 up %d days, %d:%02d, 0 users, load average: 0.00, 0.00, 0.00' % (
            days, rest // 3600, rest % 3600 // 60)

    def migrate_disk_and_power_off(self, context, instance, *args, **kwargs):
        self._work(self.machine.knobs['coldMigrationSeconds'])
        self._fail('coldMigrationFails', exception.InstancePowerOffFailure)
        return super().migrate_disk_and_power_off(context, instance, *args, **kwargs)

    def pre_live_migration(self, *args, **kwargs):
        self._stay_alive()
        self._fail('preLiveMigrationFails', lambda reason: exception.MigrationPreCheckError(reason=reason))
        return super().pre_live_migration(*args, **kwargs)

    def live_migration(self, context, instance, dest, post_method, recover_method,
                       block_migration=False, migrate_data=None):
        self.moves[instance.uuid] = 'run'
        try:
            self._copy_memory(instance, getattr(migrate_data, 'migration', None))
            if self.moves[instance.uuid] == 'abort':
                recover_method(context, instance, dest, migrate_data, migration_status='cancelled')
            elif self.machine.knobs['liveMigrationFails']:
                recover_method(context, instance, dest, migrate_data)
            else:
                post_method(context, instance, dest, block_migration, migrate_data)
        finally:
            self.moves.pop(instance.uuid, None)

    def _copy_memory(self, instance, migration):
        total = instance.flavor.memory_mb << 20
        seconds = self.machine.knobs['liveMigrationSeconds']
        began = time.monotonic()
        while self.moves[instance.uuid] == 'run':
            part = min(1.0, (time.monotonic() - began) / seconds) if seconds > 0 else 1.0
            if part >= 1.0:
                return
            self._report(instance, migration, total, part)
            self._work(TICK_SECONDS)

    def _report(self, instance, migration, total, part):
        if migration is not None:
            migration.memory_total = total
            migration.memory_processed = int(total * part)
            migration.memory_remaining = total - int(total * part)
            migration.disk_total = migration.disk_processed = migration.disk_remaining = 0
            migration.save()
        instance.progress = int(100 * part)
        instance.save()

    def live_migration_force_complete(self, instance):
        if instance.uuid in self.moves:
            self.moves[instance.uuid] = 'finish'

    def live_migration_abort(self, instance):
        if instance.uuid in self.moves:
            self.moves[instance.uuid] = 'abort'

    def post_live_migration(self, context, instance, block_device_info, migrate_data=None):
        # The base class leaves the guest on the source as well.
        super().destroy(context, instance, None, block_device_info)

    def post_live_migration_at_destination(self, context, instance, network_info, block_migration=False,
                                           block_device_info=None):
        # Past the point of no return: the knobs of spawn are not for this.
        super().spawn(context, instance, None, None, None, None)
