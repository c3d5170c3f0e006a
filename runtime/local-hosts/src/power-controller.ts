import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';

const ROOT = '/redfish/v1/';
const SYSTEMS = '/redfish/v1/Systems';
const LONGEST_BODY = 10_000;
const RESET_TYPES = ['On', 'ForceOff'];

/** The switch of what a controller powers. */
export interface PowerSwitch {
  isOn(): Promise<boolean>;
  powerOn(): Promise<void>;
  powerOff(): Promise<void>;
}

export interface PowerControllerOptions {
  readonly host: string;
  readonly user: string;
  readonly password: string;
  /** Of the server, in PEM form. */
  readonly key: string;
  readonly certificate: string;
  /** The name of the system that it powers. */
  readonly name: string;
  readonly powerSwitch: PowerSwitch;
  readonly onFailure: (error: unknown) => void;
}

/** The management controller of a local host, by Redfish (DSP0266): what switches a host off tells nothing but its power. */
export interface PowerController extends AsyncDisposable {
  readonly url: string;
}

/** Starts a controller on a free port. Every call has to show the account, by HTTP's own means. */
export async function startPowerController(options: PowerControllerOptions): Promise<PowerController> {
  const controller = new SystemController(options);
  const server = createServer({ key: options.key, cert: options.certificate }, (request, response) => {
    controller.handle(request, response).catch((error: unknown) => {
      options.onFailure(error);
      response.destroy();
    });
  });
  server.listen(0, options.host);
  await once(server, 'listening');
  const place = server.address();
  const port = typeof place === 'object' && place !== null ? place.port : 0;
  return {
    url: `https://${options.host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
      await controller.settled();
    },
  };
}

class SystemController {
  readonly #options: PowerControllerOptions;
  readonly #path: string;
  #change: { readonly kind: 'PoweringOn' | 'PoweringOff'; readonly deed: Promise<void> } | undefined;

  constructor(options: PowerControllerOptions) {
    this.#options = options;
    this.#path = `${SYSTEMS}/${options.name}`;
  }

  /** Resolves when nothing is being switched. */
  async settled(): Promise<void> {
    await this.#change?.deed;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    if (method === 'GET' && (path === ROOT || path === ROOT.slice(0, -1))) return send(response, 200, rootDocument());
    if (!this.#isKnown(request)) {
      return send(response, 401, errorDocument('NoValidSession', 'Log in'), { 'www-authenticate': 'Basic' });
    }
    if (method === 'GET' && path === SYSTEMS) return send(response, 200, { Members: [{ '@odata.id': this.#path }] });
    if (method === 'GET' && path === this.#path) return send(response, 200, await this.#systemDocument());
    if (method === 'POST' && path === this.#resetPath) return await this.#reset(await readBody(request), response);
    return send(response, 404, errorDocument('ResourceMissingAtURI', `There is no ${path}`));
  }

  get #resetPath(): string {
    return `${this.#path}/Actions/ComputerSystem.Reset`;
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    const { user, password } = this.#options;
    const wanted = Buffer.from(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
    const shown = Buffer.from(headers.authorization ?? '');
    return shown.length === wanted.length && timingSafeEqual(shown, wanted);
  }

  async #systemDocument(): Promise<object> {
    const target = this.#resetPath;
    const isOn = await this.#options.powerSwitch.isOn();
    return {
      '@odata.id': this.#path,
      Id: this.#options.name,
      Name: this.#options.name,
      PowerState: this.#change?.kind ?? (isOn ? 'On' : 'Off'),
      Actions: { '#ComputerSystem.Reset': { target, 'ResetType@Redfish.AllowableValues': RESET_TYPES } },
    };
  }

  /** The order first, the deed later, as controllers do. */
  async #reset(body: unknown, response: ServerResponse): Promise<void> {
    const type = typeof body === 'object' && body !== null && 'ResetType' in body ? body.ResetType : undefined;
    if (type !== 'On' && type !== 'ForceOff') {
      const words = `ResetType has to be one of ${RESET_TYPES.join(', ')}`;
      return send(response, 400, errorDocument('ActionParameterNotSupported', words));
    }
    const { powerSwitch, onFailure } = this.#options;
    const isWanted = (await powerSwitch.isOn()) === (type === 'On');
    if (isWanted && this.#change === undefined) {
      return send(response, 409, errorDocument('NoOperation', `The system is so already: ${type}`));
    }
    // One after the other, and each is told until its own end: one that waits must not be shown as what the one before left.
    while (this.#change !== undefined) await this.#change.deed;
    const deed = (type === 'On' ? powerSwitch.powerOn() : powerSwitch.powerOff()).catch(onFailure).finally(() => {
      this.#change = undefined;
    });
    this.#change = { kind: type === 'On' ? 'PoweringOn' : 'PoweringOff', deed };
    return send(response, 204, undefined);
  }
}

function rootDocument(): object {
  return { '@odata.id': ROOT, RedfishVersion: '1.11.0', Systems: { '@odata.id': SYSTEMS } };
}

function errorDocument(id: string, message: string): object {
  const info = { '@odata.type': '#Message.v1_1_1.Message', MessageId: `Base.1.8.${id}`, Message: message };
  return { error: { code: `Base.1.8.${id}`, message, '@Message.ExtendedInfo': [info] } };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > LONGEST_BODY) throw new RangeError('a request to a power controller is too long');
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // What cannot be read is refused as what is not known.
  }
}

function send(
  response: ServerResponse,
  status: number,
  document: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'odata-version': '4.0', ...headers });
  response.end(document === undefined ? '' : JSON.stringify(document));
}
