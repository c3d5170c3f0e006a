"""Nova's libvirt driver, several of it in one process, each for a libvirtd of its own.

What the configuration says once for a machine, a connection, an address and a name, is said here once for each host.
The directory of the disks is shared by all hosts, as on NFS.
"""
import libvirt
from nova.privsep import sys_admin_pctxt
from nova.virt import local_hosts
from nova.virt.libvirt import driver

# The whole cloud belongs to root already; a helper process for each call would only cost.
sys_admin_pctxt.set_client_mode(False)


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
