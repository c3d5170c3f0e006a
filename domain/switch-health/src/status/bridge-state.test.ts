import { describe, expect, it } from 'vitest';

import { bridge, known, NOW, plainPort, unknown } from '../fixtures/build-facts.ts';
import { readRecording } from '../fixtures/read-recording.ts';
import type { BridgeFacts, ControllerFacts } from '../switch-facts.ts';
import { bridgeState } from './bridge-state.ts';

const answered = known([{ table: 0, flows: 1 }]);

describe('bridgeState', () => {
  it.each<[string, Partial<BridgeFacts>, string, string | undefined]>([
    ['Active, when its flows are answered', {}, 'Active', undefined],
    ['NoDatapath', { datapathId: undefined, datapathType: '' }, 'NoDatapath', 'it has no datapath of type system'],
    [
      'Failed, when its own port could not be opened',
      { ports: [plainPort('br0', { type: 'internal', ofport: -1n, error: 'no room' })] },
      'Failed',
      'its own port is not in its datapath: no room',
    ],
    ['Failed, when its own port is missing', { ports: [] }, 'Failed', 'its own port is not in its datapath'],
    [
      'Disconnected, when it is secure and has lost all controllers',
      { failMode: 'secure', controllers: [controller(false, 'Connection refused')] },
      'Disconnected',
      'none of its controllers is connected (tcp:a:1)',
    ],
    [
      'Active, when one controller is left',
      { failMode: 'secure', controllers: [controller(false), controller(true)] },
      'Active',
      undefined,
    ],
    ['Active, when it works without controllers', { controllers: [controller(false)] }, 'Active', undefined],
    ['Active, when it is secure and OVN looks after it', { failMode: 'secure' }, 'Active', undefined],
  ])('is %s', (_what, part, word, trouble) => {
    expect(bridgeState(bridge('br0', [], part), answered)).toEqual({ word, trouble });
  });

  it('is Silent, when it does not answer OpenFlow, and Pending before it was asked', () => {
    expect(bridgeState(bridge('br0'), unknown('timeout', NOW - 5))).toEqual({
      word: 'Silent',
      trouble: 'it does not answer OpenFlow',
      since: NOW - 5,
    });
    expect(bridgeState(bridge('br0'), undefined).word).toBe('Pending');
  });

  it('tells a real bridge whose kernel module is missing', async () => {
    const { configuration } = await readRecording('userspace-node');

    const words = configuration.bridges.map((each) => [each.name, bridgeState(each, answered).word]);

    expect(Object.fromEntries(words)).toEqual({
      'br-int': 'Active',
      'br-provider': 'Active',
      'br-sys': 'NoDatapath',
      'br-tor': 'Active',
    });
  });
});

function controller(isConnected: boolean, lastError?: string): ControllerFacts {
  return { target: 'tcp:a:1', isConnected, lastError };
}
