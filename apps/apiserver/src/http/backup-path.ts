/** Whoever may post to it gets all objects, Secrets among them: no role but the administrator's has it. */
export const BACKUP_PATH = '/smalt/backup';
