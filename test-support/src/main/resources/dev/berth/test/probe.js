'use strict';
// Says to the frame around the page what is wrong with it, once its charts are drawn.
addEventListener('load', () => setTimeout(async () => {
  const found = ['checked'];
  const wider = document.documentElement.scrollWidth - innerWidth;
  if (wider > 0) found.push(`The page is ${wider} px wider than the screen`);
  for (const each of performance.getEntriesByType('resource')) {
    if (!each.name.startsWith(location.origin + '/')) found.push('Fetched ' + each.name);
  }
  for (const each of document.querySelectorAll('details')) each.open = true;
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  for (const rule of violations.filter(each => /serious|critical/.test(each.impact))) {
    for (const node of rule.nodes) {
      found.push(`axe ${rule.id}: ${node.target.join(' ')}: ${node.failureSummary.replace(/\s+/g, ' ')}`);
    }
  }
  parent.postMessage(found.join('\n'), '*');
}, 8000));
