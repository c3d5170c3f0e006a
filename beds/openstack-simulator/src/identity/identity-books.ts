import { randomUUID } from 'node:crypto';

/** Who a token stands for. */
export interface Session {
  readonly user: User;
  readonly project: Project;
  readonly expiresAt: number;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly domain: Domain;
}

interface Domain {
  readonly id: string;
  readonly name: string;
}

const DEFAULT_DOMAIN: Domain = { id: 'default', name: 'Default' };
const TEST_DOMAIN: Domain = { id: 'cc3test', name: 'cc3test' };

/** The password of all users. */
export const PASSWORD = 'secret';

const USERS: readonly User[] = [
  { id: '1677205afcd94e1f90ff21c89ac9c961', name: 'admin', roles: ['admin', 'member', 'reader'] },
  { id: '2677205afcd94e1f90ff21c89ac9c962', name: 'member', roles: ['member', 'reader'] },
];

const PROJECTS: readonly Project[] = [
  { id: 'f11543020f0d4e13a5a46ca67748c2b4', name: 'admin', domain: DEFAULT_DOMAIN },
  { id: 'f21543020f0d4e13a5a46ca67748c2b5', name: 'test', domain: DEFAULT_DOMAIN },
  { id: 'f31543020f0d4e13a5a46ca67748c2b6', name: 'test', domain: TEST_DOMAIN },
];

/** Users, projects and tokens. */
export class IdentityBooks {
  readonly #tokens = new Map<string, Session>();
  readonly #tokenMs: number;

  constructor(tokenSeconds: number) {
    this.#tokenMs = tokenSeconds * 1000;
  }

  user(wanted: (user: User) => boolean): User | undefined {
    return USERS.find(wanted);
  }

  project(wanted: (project: Project) => boolean): Project | undefined {
    return PROJECTS.find(wanted);
  }

  /** Makes a token and gives its text. */
  admit(user: User, project: Project): { token: string; session: Session } {
    const token = `simulated-${randomUUID()}`;
    const session = { user, project, expiresAt: Date.now() + this.#tokenMs };
    this.#tokens.set(token, session);
    return { token, session };
  }

  session(token: string): Session | undefined {
    const session = this.#tokens.get(token);
    return session !== undefined && session.expiresAt > Date.now() ? session : undefined;
  }

  expireTokens(): void {
    this.#tokens.clear();
  }
}
