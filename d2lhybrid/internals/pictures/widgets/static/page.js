// The start of a picture in a page: unpack what stands in it, and let the view take the place of the static picture.
const start = async (host, packed) => {
  // Whether its cell is at work: then it was run just now, and is no output of a notebook that was opened.
  host.isNew = !!host.closest(".jp-CodeCell")?.querySelector(".jp-InputPrompt")?.textContent.includes("*");
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { code, ...page } = JSON.parse(await new Response(stream).text());
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  (await import(address)).show(host, page);
  URL.revokeObjectURL(address);
};
