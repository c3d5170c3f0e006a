"""What outlives a compute service: the machines it runs on, with their guests and the knobs that a driver offers."""

STATES = {1: 'running', 4: 'off'}
OFF = 4


class Machine:
    """One hypervisor. `life` tells apart the time before a loss of power from the time after it."""

    def __init__(self, name):
        self.name = name
        self.guests = {}
        self.knobs = {}
        self.life = 0
        # Where its libvirtd is, with the driver of that name.
        self.uri = None
        self.address = None
        # Where those of the hosts are that share its disks.
        self.others = []

    def connect(self, uri, address, others=()):
        self.uri = uri
        self.address = address
        self.others = list(others)

    def offer(self, knobs):
        for name, value in knobs.items():
            self.knobs.setdefault(name, value)

    def turn(self, values):
        unknown = sorted(set(values) - set(self.knobs))
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
