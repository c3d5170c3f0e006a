import { isVariant } from '@smalt/dbus';

import { followService, type FollowContext } from '../bus/follow-service.ts';
import { readUntilAborted } from '../bus/read-until-aborted.ts';
import type { Follower } from '../bus/service-following.ts';
import { LOGIN_MANAGER } from './login-manager.ts';
import { ShutdownState } from './shutdown-state.ts';

const SIGNAL = 'PrepareForShutdown';

/** `true` when a shutdown begins, also one that began before this did, and `false` when it was called off. */
export function watchShutdown(context: FollowContext, signal: AbortSignal): AsyncIterable<boolean> {
  const state = new ShutdownState();
  return readUntilAborted(state, (both) => followService(context, shutdownFollower(state), both), signal);
}

function shutdownFollower(state: ShutdownState): Follower {
  const { destination, path, interface: manager } = LOGIN_MANAGER;
  return {
    service: destination,
    async greet(connection, rules, signal) {
      await rules.add({ sender: destination, path, interface: manager, member: SIGNAL }, signal);
      const properties = { destination, path, interface: 'org.freedesktop.DBus.Properties' };
      const call = { ...properties, member: 'Get', signature: 'ss', body: [manager, 'PreparingForShutdown'] };
      const { body: [property = false] = [] } = await connection.call(call, signal);
      state.set(isVariant(property) && property.value === true);
    },
    onSignal(message) {
      const [isStarting] = message.body ?? [];
      if (message.interface === manager && message.member === SIGNAL) state.set(isStarting === true);
    },
  };
}
