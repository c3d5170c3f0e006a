import type { CloudCredentials } from './cloud-client.ts';

/** The project of the users that are no administrators. */
export const MEMBER_PROJECT = 'test';
export const MEMBER_NAME = 'member';

/** The administrator of a cloud. */
export function adminCredentials(password: string): CloudCredentials {
  return {
    username: 'admin',
    password,
    projectName: 'admin',
    userDomainName: 'Default',
    projectDomainName: 'Default',
  };
}

/** A user without rights beyond the own project. */
export function memberCredentials(password: string): CloudCredentials {
  return { ...adminCredentials(password), username: MEMBER_NAME, projectName: MEMBER_PROJECT };
}
