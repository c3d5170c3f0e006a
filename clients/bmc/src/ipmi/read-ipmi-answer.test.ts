import { describe, expect, it } from 'vitest';

import { checkIpmiCommand, readIpmiState } from './read-ipmi-answer.ts';

const run = { what: 'ipmi bmc:623', secrets: ['hidden'] };

describe('readIpmiState', () => {
  it.each([
    { stdout: 'Chassis Power is on\n', state: 'on' },
    { stdout: 'Chassis Power is off\n', state: 'off' },
  ])('reads $stdout', ({ stdout, state }) => {
    expect(readIpmiState({ exitCode: 0, stdout, stderr: '' }, run)).toBe(state);
  });

  it.each([
    '',
    'off',
    'Chassis Power is of',
    'Chassis Power is off\nChassis Power is on',
    'chassis power is off',
    'Chassis Power is off (cached)',
  ])('does not guess what "%s" means', (stdout) => {
    expect(() => readIpmiState({ exitCode: 0, stdout, stderr: '' }, run)).toThrow(
      expect.objectContaining({ code: 'bad-answer' }),
    );
  });

  it('does not believe a state that came with a failure', () => {
    const end = { exitCode: 1, stdout: 'Chassis Power is off\n', stderr: '' };

    expect(() => readIpmiState(end, run)).toThrow(expect.objectContaining({ code: 'bad-answer' }));
  });

  // As ipmitool 1.8.19 prints it.
  it.each([
    { stderr: '> RAKP 2 HMAC is invalid\nError: Unable to establish IPMI v2 / RMCP+ session', code: 'unauthorized' },
    { stderr: 'RAKP 2 message indicates an error : unauthorized name\nError: Unable to …', code: 'unauthorized' },
    { stderr: 'Set Chassis Power Control to Down/Off failed: Insufficient privilege level', code: 'unauthorized' },
    {
      stderr: 'Error in open session response message : invalid authentication algorithm\n\nError: Unable to establish',
      code: 'bad-setting',
    },
    { stderr: 'Error in open session response message : insufficient resources for session', code: 'refused' },
    { stderr: 'Set Chassis Power Control to Down/Off failed: Invalid data field in request', code: 'refused' },
    { stderr: 'Get Chassis Power Status failed: Unspecified error', code: 'refused' },
    { stderr: 'Get Auth Capabilities error\nError: Unable to establish IPMI v2 / RMCP+ session', code: 'unreachable' },
    { stderr: 'Address lookup for bmc failed\nCould not open socket!', code: 'unreachable' },
    { stderr: 'Segmentation fault', code: 'bad-answer' },
  ])('takes "$stderr" for $code', ({ stderr, code }) => {
    expect(() => readIpmiState({ exitCode: 1, stdout: '', stderr }, run)).toThrow(expect.objectContaining({ code }));
  });

  it('never shows the password', () => {
    const end = { exitCode: 9, stdout: '', stderr: 'password hidden is too bad' };

    expect(() => readIpmiState(end, run)).toThrow('password <secret> is too bad');
  });
});

describe('checkIpmiCommand', () => {
  it.each([
    { wanted: 'off', stdout: 'Chassis Power Control: Down/Off\n' },
    { wanted: 'on', stdout: 'Chassis Power Control: Up/On\n' },
  ] as const)('takes "$stdout" for an accepted $wanted', ({ wanted, stdout }) => {
    expect(() => checkIpmiCommand({ exitCode: 0, stdout, stderr: '' }, run, wanted)).not.toThrow();
  });

  it.each(['Chassis Power Control: Up/On\n', 'Chassis Power Control: Soft\n', ''])(
    'does not take "%s" for an accepted off',
    (stdout) => {
      expect(() => checkIpmiCommand({ exitCode: 0, stdout, stderr: '' }, run, 'off')).toThrow(
        expect.objectContaining({ code: 'bad-answer' }),
      );
    },
  );
});
