"""The page, build/page.html: what it shows, from figures and results. The templates are in paper/page."""
