import { join } from 'node:path';

import { systemClock, type Clock } from '../clock.ts';
import { callGrpc } from '../grpc/call-grpc.ts';
import { serveGrpc } from '../grpc/serve-grpc.ts';
import { DevicePluginError } from '../device-plugin-error.ts';
import { Bell } from './bell.ts';
import { DeviceList } from './device-list.ts';
import type { DeviceOffer } from './device-offer.ts';
import { DEFAULT_DIRECTORY, KUBELET_SOCKET, socketIdentity, watchNames } from './kubelet-socket.ts';
import { writeRegistration } from './messages.ts';
import { Following } from './following.ts';
import { pluginMethods } from './plugin-methods.ts';

export interface DevicePluginOptions {
  readonly offer: DeviceOffer;
  /** The name of the plugin's own socket, such as `smalt-kvm.sock`. */
  readonly socketName: string;
  /** Where the socket of the kubelet is; where kubelets have it if not given. */
  readonly directory?: string | undefined;
  /** How often the devices are looked at; 5 seconds if not given. */
  readonly checkMs?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Told whenever the kubelet has been told of the devices, and when that does not hold any more. */
  readonly onChange?: ((isRegistered: boolean) => void) | undefined;
  /** Told of what failed; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

const CHECK_MS = 5_000;
const REGISTER_MS = 10_000;
/** So many looks after it was told of the devices, a kubelet has asked for them. */
const SILENT_CHECKS = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Offers the devices of one name to the kubelet of this node, and again to each kubelet that comes after it. */
export class DevicePlugin {
  readonly #options: DevicePluginOptions;
  readonly #directory: string;
  readonly #checkMs: number;
  readonly #bell: Bell;
  readonly #list: DeviceList;
  #isRegistered = false;

  constructor(options: DevicePluginOptions) {
    this.#options = options;
    this.#directory = options.directory ?? DEFAULT_DIRECTORY;
    this.#checkMs = options.checkMs ?? CHECK_MS;
    this.#bell = new Bell(options.clock ?? systemClock);
    this.#list = new DeviceList(options.offer);
  }

  /** Whether a kubelet has been told of the devices and is still there. */
  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  /** Works until the signal fires, whether there is a kubelet or not. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#offerOnce(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        this.#options.onTrouble(error);
        failures++;
      }
      using _watch = this.#watch();
      await this.#bell.wait(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1)), signal);
    }
  }

  /** Offers the devices to the kubelet that is there, until it or the own socket has gone. */
  async #offerOnce(signal: AbortSignal): Promise<void> {
    using _watch = this.#watch();
    const kubelet = await this.#untilKubelet(signal);
    if (kubelet === undefined) return;
    await this.#list.refresh();
    const following = new Following(() => this.#bell.ring());
    const methods = pluginMethods({ offer: this.#options.offer, list: this.#list, followers: following });
    await using _server = await serveGrpc(this.#path(this.#options.socketName), methods);
    await this.#register(signal);
    this.#setRegistered(true);
    try {
      await this.#untilLost(kubelet, following, signal);
    } finally {
      this.#setRegistered(false);
    }
  }

  async #untilKubelet(signal: AbortSignal): Promise<string | undefined> {
    while (!signal.aborted) {
      const identity = await socketIdentity(this.#path(KUBELET_SOCKET));
      if (identity !== undefined) return identity;
      await this.#bell.wait(this.#checkMs, signal);
    }
    return undefined;
  }

  async #register(signal: AbortSignal): Promise<void> {
    const { socketName: endpoint, offer } = this.#options;
    const request = writeRegistration({ endpoint, resourceName: offer.resourceName });
    const method = '/v1beta1.Registration/Register';
    await callGrpc({ socketPath: this.#path(KUBELET_SOCKET), method, request, timeoutMs: REGISTER_MS }, signal);
  }

  async #untilLost(kubelet: string, following: Following, signal: AbortSignal): Promise<void> {
    const { socketName, offer } = this.#options;
    const own = await socketIdentity(this.#path(socketName));
    for (let silentChecks = 0; !signal.aborted;) {
      await this.#list.refresh();
      if ((await socketIdentity(this.#path(KUBELET_SOCKET))) !== kubelet || following.hasEnded) return;
      // A kubelet that starts removes the sockets of all plugins.
      if (own === undefined || (await socketIdentity(this.#path(socketName))) !== own) return;
      if (silentChecks > SILENT_CHECKS) {
        const message = `the kubelet was told of ${offer.resourceName} and does not ask for its devices`;
        throw new DevicePluginError('no-kubelet', message);
      }
      const hasRung = await this.#bell.wait(this.#checkMs, signal);
      if (!hasRung && !following.hasBegun) silentChecks++;
    }
  }

  /** Rings for the kubelet's socket always, for the own one only while nobody but a kubelet would remove it. */
  #watch(): Disposable | undefined {
    return watchNames(this.#directory, (name) => {
      const isOwn = this.#isRegistered && name === this.#options.socketName;
      if (name === KUBELET_SOCKET || isOwn) this.#bell.ring();
    });
  }

  #setRegistered(isRegistered: boolean): void {
    this.#isRegistered = isRegistered;
    this.#options.onChange?.(isRegistered);
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}
