import './graphql/email-change.ts';

export { authorizeOwnOrRead, Member } from './graphql/members.ts';
