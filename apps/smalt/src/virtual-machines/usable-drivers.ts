import { connect, isLibvirtError } from '@smalt/libvirt';
import type { DriverTable } from '@smalt/virt-handler';

/** The drivers that a libvirt has: what is not installed is not asked for over and over. */
export async function usableDrivers(drivers: DriverTable, signal: AbortSignal): Promise<DriverTable> {
  const entries = await Promise.all(
    Object.entries(drivers).map(async (entry) => ((await canOpen(entry[1].uri ?? '', signal)) ? [entry] : [])),
  );
  return Object.fromEntries(entries.flat());
}

async function canOpen(uri: string, signal: AbortSignal): Promise<boolean> {
  try {
    await using _connection = await connect(uri, { signal });
    return true;
  } catch (error) {
    // Whoever has answered that it cannot is there; whoever does not answer may be back.
    if (isLibvirtError(error)) return error.number === undefined;
    throw error;
  }
}
