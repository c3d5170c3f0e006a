import { join } from 'node:path';
import { stat } from 'node:fs/promises';

import { DevicePlugin, KUBELET_SOCKET, type DeviceOffer } from '@smalt/device-plugin';
import { runTogether, type Clock } from '@smalt/controller-runtime';
import { messageOf, type Logger } from '@smalt/service-runtime';

/** Who offers the devices of the node to pods. */
export type DeviceKeeper =
  /** No kubelet is there: the handler writes them to the Node. */
  | 'handler'
  /** A kubelet is there, or was, and does not offer all of them. */
  | 'absent-kubelet'
  | 'kubelet';

export interface KubeletDevicesOptions {
  /** Where the socket of the kubelet is, if there is one. */
  readonly directory: string;
  readonly offers: readonly DeviceOffer[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often devices are looked at. */
  readonly checkMs?: number | undefined;
}

/** The devices of a node, offered to its kubelet by one plugin for each name. Where there is no kubelet it waits for one. */
export class KubeletDevices {
  readonly #options: KubeletDevicesOptions;
  readonly #plugins: readonly DevicePlugin[];
  readonly #listeners = new Set<() => void>();
  #wasThere = false;

  constructor(options: KubeletDevicesOptions) {
    this.#options = options;
    this.#plugins = options.offers.map((offer) => this.#pluginOf(offer));
  }

  /** Who offers the devices at this moment. */
  async keeper(): Promise<DeviceKeeper> {
    if (this.#plugins.length > 0 && this.#plugins.every(({ isRegistered }) => isRegistered)) return 'kubelet';
    return this.#wasThere || (await isThere(join(this.#options.directory, KUBELET_SOCKET)))
      ? 'absent-kubelet'
      : 'handler';
  }

  /** Calls back whenever another one may offer the devices; what is returned ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Offers the devices until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    await runTogether(
      this.#plugins.map((plugin) => (until: AbortSignal) => plugin.run(until)),
      signal,
    );
  }

  #pluginOf(offer: DeviceOffer): DevicePlugin {
    const { directory, clock, checkMs, logger } = this.#options;
    const { resourceName } = offer;
    const socketName = socketNameOf(resourceName);
    let trouble: string | undefined;
    return new DevicePlugin({
      offer,
      socketName,
      directory,
      clock,
      checkMs,
      onChange: (isRegistered) => {
        this.#wasThere ||= isRegistered;
        trouble = undefined;
        logger.info(
          { resource: resourceName },
          isRegistered ? 'the kubelet offers the device' : 'the kubelet has gone',
        );
        for (const listener of this.#listeners) listener();
      },
      onTrouble: (error) => {
        const text = messageOf(error);
        // The same again is not worth a line.
        if (text !== trouble) {
          logger.warn({ resource: resourceName, error }, 'the kubelet cannot be told of a device; trying again');
        }
        trouble = text;
      },
    });
  }
}

/** `smalt-kvm.sock`, and `smalt-nvidia.com-a100.sock` for what is not of our own group. */
function socketNameOf(resourceName: string): string {
  const own = resourceName.replace(/^devices\.kubevirt\.io\//u, '').replace('/', '-');
  return `smalt-${own}.sock`;
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isSocket();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
