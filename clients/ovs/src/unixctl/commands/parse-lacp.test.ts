import { expect, it } from 'vitest';

import { parseLacp } from './parse-lacp.ts';

it('reads every port that speaks LACP', () => {
  expect(parseLacp(RECORDED)).toEqual([
    {
      name: 'bond0',
      status: 'active negotiated',
      members: [
        { name: 'eno1', state: 'current', isAttached: true, partnerSystem: 'aa:66:aa:66:00:00' },
        { name: 'eno2', state: 'defaulted', isAttached: false, partnerSystem: '00:00:00:00:00:00' },
      ],
    },
  ]);
});

it('reads the spelling of old versions too', () => {
  expect(parseLacp(RECORDED.replaceAll('member:', 'slave:'))).toEqual(parseLacp(RECORDED));
});

/** Of Open vSwitch 3.1.0, cut short. */
const RECORDED = `---- bond0 ----
  status: active negotiated
  sys_id: 92:a4:3c:d9:8d:47
  sys_priority: 65534
  aggregation key: 1
  lacp_time: fast

member: eno1: current attached
  port_id: 1
  may_enable: true

  actor sys_id: 92:a4:3c:d9:8d:47
  actor state: activity timeout aggregation synchronized collecting distributing

  partner sys_id: aa:66:aa:66:00:00
  partner state: activity timeout aggregation synchronized collecting distributing expired

member: eno2: defaulted detached
  port_id: 2
  may_enable: false

  actor sys_id: 92:a4:3c:d9:8d:47

  partner sys_id: 00:00:00:00:00:00
`;
