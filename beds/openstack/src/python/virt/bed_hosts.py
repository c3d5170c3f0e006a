"""What outlives a compute service: the machines it runs on, with their guests and the knobs of the tests."""

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

STATES = {1: 'running', 4: 'off'}
OFF = 4


class Machine:
    """One pretended hypervisor. `life` tells apart the time before a loss of power from the time after it."""

    def __init__(self, name):
        self.name = name
        self.guests = {}
        self.knobs = dict(DEFAULT_KNOBS)
        self.life = 0
        # Where its libvirtd is, with the driver of that name.
        self.uri = None
        self.address = None

    def connect(self, uri, address):
        self.uri = uri
        self.address = address

    def turn(self, values):
        unknown = sorted(set(values) - set(DEFAULT_KNOBS))
        if unknown:
            raise ValueError('unknown knobs: %s' % ', '.join(unknown))
        self.knobs.update(values)

    def lose_power(self):
        self.life += 1
        for guest in self.guests.values():
            guest.state = OFF

    def list_guests(self):
        return [{'id': guest.uuid, 'name': guest.name, 'state': STATES.get(guest.state, 'unknown')}
                for guest in self.guests.values()]


MACHINES = {}


def machine(name):
    return MACHINES.setdefault(name, Machine(name))
