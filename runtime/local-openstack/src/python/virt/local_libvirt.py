"""Nova's libvirt driver, several of it in one process, each for a libvirtd of its own.

What the configuration says once for a machine, a connection, an address and a name, is said here once for each host.
The directory of the disks is shared by all hosts, as on NFS.
"""
from eventlet import tpool
import libvirt
from nova import exception
from nova.privsep import sys_admin_pctxt
from nova.virt import local_hosts
from nova.virt.libvirt import driver
from oslo_log import log

# The whole cloud belongs to root already; a helper process for each call would only cost.
sys_admin_pctxt.set_client_mode(False)


LOG = log.getLogger(__name__)


def is_active(uri, uuid):
    connection = libvirt.openReadOnly(uri)
    try:
        return connection.lookupByUUIDString(uuid).isActive() == 1
    finally:
        connection.close()


class LocalLibvirtDriver(driver.LibvirtDriver):

    def __init__(self, virtapi, read_only=False):
        self.machine = local_hosts.machine(virtapi._compute.host)
        super().__init__(virtapi, read_only)

    def _uri(self):
        return self.machine.uri

    def _set_host_enabled(self, enabled, disable_reason=driver.DISABLE_REASON_UNDEFINED):
        # It would look for a service of the name in the configuration, which is no compute's. The heartbeat tells all.
        pass

    def _parse_migration_flags(self):
        super()._parse_migration_flags()
        # libvirt does not take the shared directory for shared, because its file system is none of a network's.
        self._live_migration_flags |= libvirt.VIR_MIGRATE_UNSAFE

    def pre_live_migration(self, *args, **kwargs):
        data = super().pre_live_migration(*args, **kwargs)
        data.target_connect_addr = self.machine.address
        return data

    def _hard_reboot(self, context, instance, *args, **kwargs):
        # libvirt ends a live migration without Nova, so that the database may name the host that the guest has left.
        for uri in self.machine.others:
            if self._is_active_at(uri, instance):
                raise exception.InstanceRebootFailure(reason='its guest runs on another host, by %s' % uri)
        super()._hard_reboot(context, instance, *args, **kwargs)

    def _is_active_at(self, uri, instance):
        try:
            return tpool.execute(is_active, uri, instance.uuid)
        except libvirt.libvirtError as error:
            # A host that is off runs nothing, and one without the guest says so by an error, too.
            if error.get_error_code() != libvirt.VIR_ERR_NO_DOMAIN:
                LOG.warning('%s could not be asked for a guest: %s', uri, error, instance=instance)
            return False
