/** What stands where the name of an erased person stood. Partial indexes of the database know these words. */
export const DELETED_PERSON = 'Deleted person';

/** A domain of which RFC 2606 says that it never exists. The database discards mails to it. */
const DELETED_DOMAIN = '@deleted.invalid';

/** Stands for an address that had to go; the same id gives the same address, so that buyers can still be counted. */
export const toDeletedAddress = (id: string) => `deleted-${id}${DELETED_DOMAIN}`;

export const isDeletedAddress = (email: string) => email.endsWith(DELETED_DOMAIN);
