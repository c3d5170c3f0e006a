export { PostgresBedError, type PostgresBedErrorCode } from './error.ts';
export { startPostgres, type PostgresBed, type PostgresOptions } from './start-postgres.ts';
export { tieToOwner } from './tie-to-owner.ts';
