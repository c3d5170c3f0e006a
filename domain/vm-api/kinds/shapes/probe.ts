import { atomicListOf, int32, intOrString, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const execAction: TSchema = shape({
  name: 'ExecAction',
  description: 'A command to run in the guest.',
  fields: {
    command: atomicListOf(text(''), 'The program and its arguments; no shell is involved.'),
  },
});

const httpHeader: TSchema = shape({
  name: 'HTTPHeader',
  description: 'A header of a request.',
  required: ['name', 'value'],
  fields: {
    name: text('The name of the header.'),
    value: text('The value of the header.'),
  },
});

const httpGetAction: TSchema = shape({
  name: 'HTTPGetAction',
  description: 'A request to the guest.',
  required: ['port'],
  fields: {
    host: text('The host to ask; the guest when not set.'),
    httpHeaders: atomicListOf(httpHeader, 'Headers to send.'),
    path: text('The path to ask for.'),
    port: intOrString('The port, by number or name.'),
    scheme: text('`HTTP` or `HTTPS`.'),
  },
});

const tcpSocketAction: TSchema = shape({
  name: 'TCPSocketAction',
  description: 'A connection to the guest.',
  required: ['port'],
  fields: {
    host: text('The host to connect to; the guest when not set.'),
    port: intOrString('The port, by number or name.'),
  },
});

const guestAgentPing: TSchema = shape({
  name: 'GuestAgentPing',
  description: 'Asks whether the guest agent answers.',
  fields: {},
});

export const probe: TSchema = shape({
  name: 'Probe',
  description: 'A question that tells whether the guest is well.',
  fields: {
    exec: of(execAction, 'Runs a command in the guest, through the guest agent.'),
    failureThreshold: int32('After how many failures in a row it has failed; 3 when not set.'),
    guestAgentPing: of(guestAgentPing, 'Asks whether the guest agent answers.'),
    httpGet: of(httpGetAction, 'Sends a request.'),
    initialDelaySeconds: int32('How long after the start it is first asked.'),
    periodSeconds: int32('How often it is asked; every 10 seconds when not set.'),
    successThreshold: int32('After how many successes in a row it has succeeded; 1 when not set.'),
    tcpSocket: of(tcpSocketAction, 'Opens a connection.'),
    timeoutSeconds: int32('How long an answer may take; 1 second when not set.'),
  },
});
