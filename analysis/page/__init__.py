"""The page, paper/page.html: what it shows, from figures and results. The templates are in paper/page."""
