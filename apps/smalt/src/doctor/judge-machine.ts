import { byteText } from '../image/byte-text.ts';
import { durationText } from '../output/duration-text.ts';
import { good, problem, warning, type Verdict } from './finding.ts';
import type { CertificateFact, MachineFacts } from './machine-facts.ts';

/** What has to be there, by the Debian package that has it. */
export const NEEDED_PROGRAMS: Readonly<Record<string, string>> = {
  libvirtd: 'libvirt-daemon',
  'qemu-system-x86_64': 'qemu-system-x86',
  dnsmasq: 'dnsmasq-base',
  nft: 'nftables',
  ip: 'iproute2',
};

const LEAST_FREE_SHARE = 0.05;
const LEAST_FREE_BYTES = 2 * 1024 ** 3;
const LEAST_MEMORY_BYTES = 512 * 1024 ** 2;
const LEAST_INOTIFY = 512;
const SOON_MS = 14 * 86_400_000;
const CONTROLLERS = ['cpu', 'memory', 'pids'];

/** Judges what this machine is; in the order in which it matters. */
export function judgeMachine(facts: MachineFacts, now: Date): readonly Verdict[] {
  return [
    judgeUser(facts),
    judgeKvm(facts),
    judgeCgroups(facts),
    ...judgePrograms(facts),
    judgeLibvirt(facts),
    judgeDisk(facts),
    judgeMemory(facts),
    judgeTime(facts),
    judgeWatches(facts),
    judgeSmalt(facts),
    judgeSwitch(facts),
    ...facts.certificates.map((certificate) => judgeCertificate(certificate, now)),
  ];
}

function judgeUser({ isRoot }: MachineFacts): Verdict {
  if (isRoot) return good('user', 'root');
  return warning(
    'user',
    'not root',
    'smalt up runs guests, which only root may, and some of what follows only root can see: use sudo',
  );
}

function judgeKvm({ kvm, hasVirtualization }: MachineFacts): Verdict {
  switch (kvm) {
    case 'usable':
      return good('kvm', '/dev/kvm can be opened');
    case 'denied':
      return problem('kvm', '/dev/kvm cannot be opened', 'add the user to the group kvm, or use sudo');
    case 'missing':
      return hasVirtualization
        ? problem(
            'kvm',
            'there is no /dev/kvm, though the processor could',
            'load it: modprobe kvm_intel or modprobe kvm_amd',
          )
        : warning(
            'kvm',
            'the processor offers no virtualization: guests are emulated, which is slow',
            'switch it on in the firmware, or allow nested virtualization of this virtual machine',
          );
  }
}

function judgeCgroups({ cgroups: { version, controllers } }: MachineFacts): Verdict {
  if (version === 0) {
    return problem('cgroups', 'none are mounted', 'mount them: mount -t cgroup2 none /sys/fs/cgroup');
  }
  const missing = CONTROLLERS.filter((each) => !controllers.includes(each));
  if (missing.length === 0) return good('cgroups', `version ${version}, with ${CONTROLLERS.join(', ')}`);
  const found = `version ${version}, without ${missing.join(', ')}: guests are not held to those limits`;
  return warning(
    'cgroups',
    found,
    'switch the controllers on in cgroup.subtree_control, or by the kernel command line',
  );
}

function judgePrograms({ programs }: MachineFacts): readonly Verdict[] {
  const missing = Object.entries(NEEDED_PROGRAMS).filter(([name]) => programs[name] === undefined);
  if (missing.length === 0) return [good('programs', Object.keys(NEEDED_PROGRAMS).join(', '))];
  const packages = missing.map(([, name]) => name).join(' ');
  const names = missing.map(([name]) => name).join(', ');
  return [problem('programs', `missing: ${names}`, `apt-get install ${packages}`)];
}

function judgeLibvirt({ libvirt, smaltUp }: MachineFacts): Verdict {
  switch (libvirt.kind) {
    case 'answers':
      return good('libvirt', `${libvirt.version} answers at ${libvirt.socket}`);
    case 'silent':
      return problem(
        'libvirt',
        `does not answer at ${libvirt.socket}: ${libvirt.why}`,
        'smalt logs --unit libvirt HOST has its log; is it running?',
      );
    case 'none':
      return smaltUp.pid === undefined
        ? good('libvirt', 'none runs; smalt up starts its own')
        : problem('libvirt', 'none runs, though smalt up does', 'restart it: smalt down, then smalt up');
  }
}

function judgeDisk({ disk: { path, freeBytes, totalBytes } }: MachineFacts): Verdict {
  const found = `${byteText(freeBytes)} free of ${byteText(totalBytes)} at ${path}`;
  const isLow = freeBytes < LEAST_FREE_BYTES || freeBytes < totalBytes * LEAST_FREE_SHARE;
  if (!isLow) return good('disk', found);
  return problem(
    'disk',
    found,
    'guests stand still when it is full: remove images with smalt image remove, or add space',
  );
}

function judgeMemory({ memory: { availableBytes, totalBytes } }: MachineFacts): Verdict {
  const found = `${byteText(availableBytes)} free of ${byteText(totalBytes)}`;
  if (availableBytes >= LEAST_MEMORY_BYTES) return good('memory', found);
  return warning('memory', found, 'no further guest fits: stop some, or move them to another host');
}

function judgeTime({ timekeeper }: MachineFacts): Verdict {
  if (timekeeper !== undefined) return good('time', `kept by ${timekeeper}`);
  return warning(
    'time',
    'nobody is known to keep the clock right',
    'apt-get install chrony; hosts whose clocks differ judge each other wrongly',
  );
}

function judgeWatches({ inotifyInstances }: MachineFacts): Verdict {
  const found = `fs.inotify.max_user_instances is ${inotifyInstances}`;
  if (inotifyInstances >= LEAST_INOTIFY) return good('file watches', found);
  return warning('file watches', `${found}: each guest needs one`, 'sysctl -w fs.inotify.max_user_instances=8192');
}

function judgeSmalt({ smaltUp: { directory, pid, isAnswering } }: MachineFacts): Verdict {
  if (pid === undefined) return good('smalt up', `does not run on ${directory}`);
  if (isAnswering) return good('smalt up', `runs as process ${pid} on ${directory}`);
  const next = 'smalt down ends it; guests run on, and the next smalt up finds them again';
  return problem('smalt up', `runs as process ${pid} on ${directory} and does not answer`, next);
}

function judgeSwitch({ switchSocket, programs }: MachineFacts): Verdict {
  if (switchSocket !== undefined) return good('Open vSwitch', `listens at ${switchSocket}`);
  if (programs['ovs-vsctl'] === undefined)
    return good('Open vSwitch', 'is not installed, and is needed for ovs networks alone');
  return warning(
    'Open vSwitch',
    'is installed and does not run',
    'systemctl start openvswitch-switch, where networks are by ovs',
  );
}

function judgeCertificate({ what, endsAt }: CertificateFact, now: Date): Verdict {
  const leftMs = endsAt.getTime() - now.getTime();
  const name = `certificate of ${what}`;
  if (leftMs <= 0)
    return problem(
      name,
      `has ended ${durationText(-leftMs)} ago`,
      'renew it; smalt up renews its own at the next start',
    );
  const found = `ends in ${durationText(leftMs)}`;
  return leftMs < SOON_MS
    ? warning(name, found, 'renew it before that; smalt up renews its own at its start')
    : good(name, found);
}
