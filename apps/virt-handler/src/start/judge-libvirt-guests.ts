/** What a machine has of libvirt-guests, the service of libvirt that saves guests when a machine goes down. */
export interface LibvirtGuestsFacts {
  /** Whether it is started with the machine. */
  readonly isEnabled: boolean;
  /** Its program, and after that its files of settings; each overrides those before it. */
  readonly texts: readonly string[];
}

const ON_BOOT = /^[ \t]*(?:export[ \t]+)?ON_BOOT=(["']?)([A-Za-z]*)\1[ \t]*(?:#.*)?$/gm;
/** What those who made libvirt have it do when nobody says otherwise. */
const STANDARD = 'start';

/**
 * Why no handler may act on such a machine; undefined when it may. A guest that libvirt-guests starts again with the machine may
 * run elsewhere by then, on the same disks: nobody has asked the cluster.
 */
export function judgeLibvirtGuests({ isEnabled, texts }: LibvirtGuestsFacts): string | undefined {
  if (!isEnabled) return undefined;
  const said = texts.flatMap((text) => [...text.matchAll(ON_BOOT)].map(([, , value = '']) => value));
  if ((said.at(-1) ?? STANDARD) !== 'start') return undefined;
  return (
    'libvirt-guests of this machine starts guests when the machine boots, which may run on another node by then: ' +
    'set ON_BOOT=ignore in /etc/default/libvirt-guests (or /etc/sysconfig/libvirt-guests), ' +
    'or switch it off: systemctl disable libvirt-guests'
  );
}
