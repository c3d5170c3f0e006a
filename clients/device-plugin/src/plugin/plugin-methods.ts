import { DevicePluginError } from '../device-plugin-error.ts';
import type { GrpcMethod, GrpcMethods } from '../grpc/serve-grpc.ts';
import type { DeviceList } from './device-list.ts';
import type { DeviceOffer } from './device-offer.ts';
import {
  EMPTY,
  readAllocateRequest,
  readPreferenceRequest,
  writeAllocations,
  writeDevices,
  writePreferences,
  type PreferenceRequest,
} from './messages.ts';

/** Who follows a list of devices: a kubelet, or nobody when it has gone. */
export interface Followers {
  readonly join: () => void;
  readonly leave: () => void;
}

export interface PluginParts {
  readonly offer: DeviceOffer;
  readonly list: DeviceList;
  readonly followers: Followers;
}

/** What a kubelet calls. */
export function pluginMethods(parts: PluginParts): GrpcMethods {
  return {
    '/v1beta1.DevicePlugin/GetDevicePluginOptions': unary(() => Promise.resolve(EMPTY)),
    '/v1beta1.DevicePlugin/ListAndWatch': followed(parts),
    '/v1beta1.DevicePlugin/GetPreferredAllocation': unary((request) =>
      Promise.resolve(writePreferences(readPreferenceRequest(request).map((each) => preferDevices(each)))),
    ),
    '/v1beta1.DevicePlugin/Allocate': unary((request) => allocate(parts, request)),
    '/v1beta1.DevicePlugin/PreStartContainer': unary(() => Promise.resolve(EMPTY)),
  };
}

/** All devices of one name are alike: those that have to be, and then the first of the others. */
export function preferDevices({ available, mustInclude, size }: PreferenceRequest): readonly string[] {
  return [...new Set([...mustInclude, ...available])].slice(0, Math.max(size, mustInclude.length));
}

async function allocate({ offer, list }: PluginParts, request: Buffer): Promise<Buffer> {
  const containers = readAllocateRequest(request);
  const unknown = containers.flat().find((id) => !list.has(id));
  if (unknown !== undefined) {
    throw new DevicePluginError('no-such-device', `${offer.resourceName} has no device ${unknown}`);
  }
  return writeAllocations(await Promise.all(containers.map((ids) => offer.allocate(ids))));
}

function followed({ list, followers }: PluginParts): GrpcMethod {
  return {
    kind: 'stream',
    async *answers(_, signal) {
      followers.join();
      try {
        for await (const devices of list.follow(signal)) yield writeDevices(devices);
      } finally {
        followers.leave();
      }
    },
  };
}

function unary(answer: (request: Buffer) => Promise<Buffer>): GrpcMethod {
  return { kind: 'unary', answer };
}
