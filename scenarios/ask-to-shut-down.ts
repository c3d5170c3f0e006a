import { isNoDomain, isOperationInvalid, type Connection, type Domain } from '@smalt/libvirt';

/**
 * Asks a guest to shut down. libvirt asks its agent, and where that goes before libvirt has seen why, presses the button of a guest
 * that is off by then: that it does not run is no failure. Whether it has shut down is for events to tell.
 */
export async function askToShutDown(connection: Pick<Connection, 'domainShutdown'>, domain: Domain): Promise<void> {
  try {
    await connection.domainShutdown({ domain });
  } catch (error) {
    if (!isNoDomain(error) && !isOperationInvalid(error)) throw error;
  }
}
