"""A cable with a speed: two taps wired to each other. veth has one speed only, and Node cannot make taps.

Arguments: two device names and the speed in Mbit/s. Says `ready` once both are up, and ends when its stdin does.
"""

import fcntl
import os
import select
import struct
import subprocess
import sys

TUNSETIFF = 0x400454CA
IFF_TAP = 0x0002
IFF_NO_PI = 0x1000
LARGEST_FRAME = 65536


def open_tap(name):
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    return tap


def main():
    names, speed = sys.argv[1:3], sys.argv[3]
    taps = [open_tap(name) for name in names]
    for name in names:
        subprocess.check_call(["ethtool", "-s", name, "speed", speed, "duplex", "full", "autoneg", "off"])
        subprocess.check_call(["ip", "link", "set", name, "up"])
    print("ready", flush=True)
    other = {taps[0]: taps[1], taps[1]: taps[0]}
    while True:
        readable, _, _ = select.select([*taps, 0], [], [])
        if 0 in readable and not os.read(0, 1):
            return
        for tap in taps:
            if tap in readable:
                pass_on(tap, other[tap])


def pass_on(source, target):
    try:
        os.write(target, os.read(source, LARGEST_FRAME))
    except OSError:
        # As on a real cable: what arrives at an end that is down is lost.
        pass


main()
