import type { CloudCredentials } from './cloud-client.ts';
import { REGION } from './configuration/authentication.ts';

/** The variables that OpenStack's clients read. */
export function cloudEnvironment(authUrl: string, credentials: CloudCredentials): Readonly<Record<string, string>> {
  return {
    OS_AUTH_URL: authUrl,
    OS_USERNAME: credentials.username,
    OS_PASSWORD: credentials.password,
    OS_PROJECT_NAME: credentials.projectName,
    OS_USER_DOMAIN_NAME: credentials.userDomainName,
    OS_PROJECT_DOMAIN_NAME: credentials.projectDomainName,
    OS_REGION_NAME: REGION,
    OS_IDENTITY_API_VERSION: '3',
  };
}
