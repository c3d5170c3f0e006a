import type { VirtualMachineInstance } from '@smalt/vm-api';

import { countOnConsole } from '../virtual-machines/count-on-disk.ts';
import { SmaltConsole } from '../virtual-machines/smalt-console.ts';
import type { InstallationWorld } from './installation-world.ts';
import { podsOf, type RunningPod } from './pods-of.ts';

/** The first machine of the page for those who install, whose guest counts. */
export class FirstMachine {
  readonly #world: InstallationWorld;

  constructor(world: InstallationWorld) {
    this.#world = world;
  }

  /** Starts it as the page says, and lets its guest count. */
  async start(): Promise<VirtualMachineInstance> {
    const { reader } = this.#world;
    await reader.write('first.yaml', 'metadata: { name: first');
    await reader.follow('install.md', 'kubectl apply -f first.yaml', {
      without: ['--watch', 'smalt console', 'smalt migrate', 'delete vm'],
    });
    const instance = await this.running();
    await this.#beginToCount();
    return instance;
  }

  async running(): Promise<VirtualMachineInstance> {
    return await this.#world.untilInstance('first', ({ status }) => status?.phase === 'Running');
  }

  /** Its QEMU, on the node where the instance says that it is. */
  async guestProcess(instance: VirtualMachineInstance): Promise<string> {
    return await this.processOn(instance, 'guest=default_first,');
  }

  /** The dnsmasq of that node. */
  async addressServer(instance: VirtualMachineInstance): Promise<string> {
    return await this.processOn(instance, 'networks/nat/dnsmasq.conf');
  }

  async processOn({ status }: VirtualMachineInstance, words: string): Promise<string> {
    const node = this.#world.node(status?.nodeName);
    return (await node.run(['pgrep', '-f', '--', words]).catch(() => '')).trim();
  }

  /** The pod that it is in now. */
  async launcher(): Promise<RunningPod> {
    const { status } = await this.running();
    const pods = await podsOf(this.#world, 'kubevirt.io=virt-launcher');
    const [pod, ...others] = pods.filter(({ node, phase }) => node === status?.nodeName && phase === 'Running');
    if (pod === undefined || others.length > 0) throw new TypeError(`launchers: ${JSON.stringify(pods)}`);
    return pod;
  }

  async counted(): Promise<number> {
    return await countOnConsole('first', this.#world.cluster.kubeconfig);
  }

  /** Asks for one of its subresources: `done`, or why not. */
  async act(subresource: string): Promise<string> {
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/first/${subresource}`;
    return await this.#world.admin.text({ method: 'PUT', path, body: '{}' }).then(
      () => 'done',
      (error: unknown) => String(error),
    );
  }

  async #beginToCount(): Promise<void> {
    await using console = new SmaltConsole('first', this.#world.cluster.kubeconfig);
    // What was printed before is gone; a key makes it ask again.
    console.type('\n');
    await console.shows('login:');
    console.type('root\n');
    await console.shows('# ');
    console.type('n=0; while :; do n=$((n+1)); echo "count $n"; sleep 0.5; done &\n');
    await console.shows(/^count 3\b/m);
  }
}
