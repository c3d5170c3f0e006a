import { askForPower } from '../ask-for-power.ts';
import type { PowerController } from '../power-controller.ts';
import { PROGRAM_PATH } from '../program-path.ts';
import { runProgram, type ProgramEnd } from '../run-program.ts';
import { withinDeadline } from '../within-deadline.ts';
import {
  checkIpmiSettings,
  DEFAULT_CIPHER_SUITE,
  DEFAULT_IPMI_PORT,
  DEFAULT_IPMI_TIMEOUT_MS,
  type IpmiSettings,
} from './ipmi-settings.ts';
import { checkIpmiCommand, readIpmiState, type IpmiRun } from './read-ipmi-answer.ts';

/** The power switch of a host whose controller speaks IPMI, by the program `ipmitool`. Throws `bad-setting`. */
export function createIpmiController(settings: IpmiSettings): PowerController {
  checkIpmiSettings(settings);
  const { host, port = DEFAULT_IPMI_PORT, timeoutMs = DEFAULT_IPMI_TIMEOUT_MS } = settings;
  const method = `ipmi ${host}:${port}`;
  const run: IpmiRun = { what: method, secrets: [settings.password.reveal()] };
  const readState = async (inner: AbortSignal): Promise<'on' | 'off'> =>
    readIpmiState(await runTool(settings, 'status', inner), run);
  const ask = (wanted: 'on' | 'off', signal: AbortSignal): Promise<void> =>
    withinDeadline({ what: `${method}: power ${wanted}`, timeoutMs, signal }, (inner) => {
      const command = async (): Promise<void> => checkIpmiCommand(await runTool(settings, wanted, inner), run, wanted);
      return askForPower(wanted, command, () => readState(inner));
    });
  return {
    method,
    readPower: (signal) =>
      withinDeadline({ what: `${method}: power status`, timeoutMs, signal }, async (inner) => ({
        state: await readState(inner),
        method,
      })),
    powerOff: (signal) => ask('off', signal),
    powerOn: (signal) => ask('on', signal),
  };
}

function runTool(settings: IpmiSettings, verb: 'status' | 'on' | 'off', signal: AbortSignal): Promise<ProgramEnd> {
  const { host, port = DEFAULT_IPMI_PORT, user, cipherSuite = DEFAULT_CIPHER_SUITE } = settings;
  const privilege = (settings.privilege ?? 'administrator').toUpperCase();
  const session = ['-I', 'lanplus', '-H', host, '-p', String(port), '-U', user, '-E', '-L', privilege];
  // Only with -v does it tell a wrong password from a controller that is not there.
  const manner = ['-C', String(cipherSuite), '-N', '1', '-R', '2', '-v'];
  return runProgram(
    {
      program: settings.program ?? 'ipmitool',
      arguments: [...session, ...manner, 'chassis', 'power', verb],
      // Every user of the machine can read arguments, but not the environment.
      environment: { PATH: PROGRAM_PATH, LC_ALL: 'C', IPMI_PASSWORD: settings.password.reveal() },
    },
    signal,
  );
}
