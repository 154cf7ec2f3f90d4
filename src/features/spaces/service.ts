export * from './closures/service.ts';
export * from './locations/service.ts';
export * from './opening-hours/service.ts';
export * from './resources/service.ts';
