/** Whether the text has the form of an email address. The service checks it more closely. */
export const isEmailAddress = (text: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
