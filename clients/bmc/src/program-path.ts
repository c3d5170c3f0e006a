/** Where programs that are run for us find others: that of a plain system, whatever our own environment says. */
export const PROGRAM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
