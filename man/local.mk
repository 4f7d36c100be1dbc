# SPDX-License-Identifier: GPL-3.0-or-later
# one page a line
dist_man_MANS += man/thresh.config.5
dist_man_MANS += man/thresh.zonefile.5
dist_man_MANS += man/thresh-plugin-tcp_connect.8
dist_man_MANS += man/thresh-plugin-http_status.8
dist_man_MANS += man/threshctl.8
dist_man_MANS += man/threshd.8
dist_man_MANS += man/thresh-plugin-multifo.8
