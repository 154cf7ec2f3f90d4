import type { Tool as ToolDescription } from '@modelcontextprotocol/server';
import { describeTool } from './describe-tool.ts';
import type { Tool } from './tool.ts';

/** All tools of the service. */
export interface ToolCatalog {
  find(name: string): Tool | undefined;
  /** Describes the tools for which `isOffered` is true. */
  list(isOffered: (tool: Tool) => boolean): ToolDescription[];
}

/** Describes each tool once, when it is first listed, since its schemas take milliseconds to convert. */
export function createToolCatalog(tools: readonly Tool[]): ToolCatalog {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const descriptions = new Map<Tool, ToolDescription>();
  const describe = (tool: Tool) => {
    const description = descriptions.get(tool) ?? describeTool(tool);
    descriptions.set(tool, description);
    return description;
  };
  return {
    find: (name) => byName.get(name),
    list: (isOffered) => tools.filter(isOffered).map(describe),
  };
}
