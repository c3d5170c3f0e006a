export type { Generated } from 'kysely';

export { backupSqlite } from './backup-sqlite.ts';
export { bulkStatement, type BulkColumn, type BulkRow, type BulkStatement } from './bulk-statement.ts';
export type { DatabaseLocation, PostgresTls } from './database-location.ts';
export type { Database } from './database.ts';
export type { EngineKind, StoreRow, StoreValue } from './engine.ts';
export type { Migration } from './migrate.ts';
export { openDatabase, parseLocation, type DatabaseOptions } from './open-database.ts';
export type { Session } from './session.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './store-error.ts';
